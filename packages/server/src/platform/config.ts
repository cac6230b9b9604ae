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
 * Everything that a deployment may set, read once. Paths are absolute. Each feature declares its settings in
 * `*.settings.ts` of its folder and adds their fields here, by declaration merging.
 */
export interface Config extends SettingValues<typeof platformSettings> {
  /** Processes of this machine that name the same queue use networks one after the other. No setting. */
  readonly separationQueue: string;
  /** Development and tests check replies against their schemas. From `NODE_ENV`. */
  readonly isProduction: boolean;
}

/** Variables of an environment by name. */
export type Variables = Readonly<Record<string, string | undefined>>;

/** Everything that is wrong with the configuration, a line each. */
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
 * @param settings those of the features
 * @returns the values of all settings by field; the features' types say that this is a `Config`
 * @throws ConfigError with every mistake at once: name, rule and value, but never the value of a secret
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

/** Returns all settings of a deployment in their order: those of the platform, then those of the features. */
export function allSettings(settings: readonly SettingFields[]): Setting<unknown>[] {
  return [platformSettings, ...settings].flatMap(listSettings);
}

/**
 * Reads the environment: the variables of the process over those of a `.env` file in the working folder. Nothing else in
 * the service reads it.
 */
export function readEnvironment(workingFolder: string): Variables {
  const file = join(workingFolder, '.env');
  const fromFile = existsSync(file) ? parseEnv(readFileSync(file, 'utf8')) : {};
  return { ...fromFile, ...process.env };
}

/**
 * What a child process may know of our environment: where programs and temporary files are, the language, and where
 * Node keeps what it has compiled.
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

/** The environment of a child process: never a secret of ours, and what `extra` adds. */
export function childEnvironment(extra: Readonly<Record<string, string>> = {}): Record<string, string> {
  const known = handedDown.flatMap((name) => {
    const value = process.env[name];
    return value === undefined ? [] : [[name, value] as const];
  });
  return { ...Object.fromEntries(known), ...extra };
}
