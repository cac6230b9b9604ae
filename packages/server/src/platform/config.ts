import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { ZodError } from 'zod';
import { dataDirSetting, platformSettings } from './platform.settings.ts';
import {
  isSetting,
  listSettings,
  type Setting,
  type SettingBase,
  type SettingFields,
  type SettingValues,
} from './settings.ts';

declare module './context.ts' {
  interface Context {
    readonly config: Config;
  }
}

/**
 * Configuration of a deployment, read once. Paths are absolute. Each feature declares its settings in a `*.settings.ts`
 * file of its folder and adds their fields here by declaration merging.
 */
export interface Config extends SettingValues<typeof platformSettings> {
  /** Name of the lock with which processes of this machine serialise their use of networks. Not a setting. */
  readonly separationQueue: string;
  /**
   * Whether the service runs in production, from `NODE_ENV`. In development and tests, replies are validated against
   * their schemas.
   */
  readonly isProduction: boolean;
}

/** Environment variables by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Thrown if the configuration is invalid. Lists all problems. */
export class ConfigError extends Error {
  readonly problems: readonly string[];
  constructor(problems: readonly string[]) {
    super(`the configuration is not valid:\n${problems.map((line) => `  ${line}`).join('\n')}`);
    this.name = 'ConfigError';
    this.problems = problems;
  }
}

/**
 * Reads a configuration from variables. Unknown names and empty values are ignored.
 *
 * @param settings settings of the features
 * @returns the values of all settings by field; the features' type declarations make this a `Config`
 * @throws ConfigError with all problems: name, rule and value, but never the value of a secret
 */
export function composeConfig(
  settings: readonly SettingFields[],
  variables: Variables,
  workingFolder: string,
): Config {
  const given = ({ name }: Setting<unknown>) => variables[name]?.trim() || null;
  const problems: string[] = [];
  const read = (one: Setting<unknown>, base: SettingBase): unknown => {
    try {
      return one.read(given(one) ?? one.default, base);
    } catch (error) {
      if (!(error instanceof ZodError)) throw error;
      const got = one.isSecret ? '' : ` (got ${JSON.stringify(given(one))})`;
      for (const { message } of error.issues) problems.push(`${one.name} ${message}${got}`);
      return undefined;
    }
  };
  const dataDir = dataDirSetting.read(given(dataDirSetting), { workingFolder, dataDir: '' });
  const valuesOf = (fields: SettingFields): Record<string, unknown> =>
    Object.fromEntries(
      Object.entries(fields).map(([field, one]) => [
        field,
        isSetting(one) ? read(one, { workingFolder, dataDir }) : valuesOf(one),
      ]),
    );
  const values = Object.assign({}, ...[platformSettings, ...settings].map(valuesOf)) as Config;
  if (problems.length > 0) throw new ConfigError(problems);
  const isProduction = (variables['NODE_ENV'] ?? 'production') === 'production';
  return { ...values, separationQueue: 'stem-studio-networks', isProduction };
}

/** Returns all settings of a deployment in order: those of the platform, then those of the features. */
export function allSettings(settings: readonly SettingFields[]): Setting<unknown>[] {
  return [platformSettings, ...settings].flatMap(listSettings);
}

/**
 * Reads the environment: the process's variables, and those of `.env` in the working folder with lower precedence. No
 * other code of the service reads it.
 */
export function readEnvironment(workingFolder: string): Variables {
  const file = join(workingFolder, '.env');
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  return { ...fromFile, ...process.env };
}

/**
 * Environment variables that child processes inherit: locations of programs and temporary files, the language, and
 * Node's compile cache.
 */
const handedDown = [
  'PATH',
  'HOME',
  'TMPDIR',
  'TMP',
  'TEMP',
  'LANG',
  'LC_ALL',
  'SystemRoot',
  'NODE_COMPILE_CACHE',
];

/** Returns the environment of a child process: never the service's secrets, plus the variables in `extra`. */
export function childEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const known = handedDown.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(known), ...extra };
}
