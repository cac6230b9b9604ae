import { readConfig } from '../config.ts';
import { type Config, ConfigError } from '../platform/config.ts';
import { CommandError } from './command.ts';

/** The configuration for a command. Throws a CommandError with everything that is wrong with it. */
export function readSettings(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(error.message);
    throw error;
  }
}
