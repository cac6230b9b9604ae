import { readConfig } from '../config.ts';
import { type Config, ConfigError } from '../platform/config.ts';
import { CommandError } from './command.ts';

/**
 * Reads the configuration for a command.
 *
 * @throws CommandError listing every invalid setting
 */
export function readSettings(): Config {
  try {
    return readConfig();
  } catch (error) {
    if (error instanceof ConfigError) throw new CommandError(error.message);
    throw error;
  }
}
