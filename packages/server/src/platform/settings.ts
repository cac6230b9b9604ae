import { resolve } from 'node:path';
import { z } from 'zod';

/** Absolute paths of the folders against which settings are resolved. */
export interface SettingBase {
  readonly workingFolder: string;
  readonly dataDir: string;
}

/** Setting of a deployment: an environment variable with its rule, default and description. */
export interface Setting<T> {
  /** Name of the variable, such as `PORT`. */
  readonly name: string;
  /** Description for `.env.example`, without a full stop if it is one clause. */
  readonly about: string;
  /** Default as written in `.env.example`; null if the setting has none. */
  readonly default: string | null;
  /** Whether the value must never be shown. */
  readonly isSecret: boolean;
  /** Returns the value; `text` is null if the variable is empty and has no default. Throws a ZodError. */
  readonly read: (text: string | null, base: SettingBase) => T;
}

/** Settings by field of the configuration, optionally in groups. */
export interface SettingFields {
  readonly [field: string]: Setting<unknown> | SettingFields;
}

/** Values of settings, by field. */
export type SettingValues<F extends SettingFields> = {
  readonly [K in keyof F]: F[K] extends Setting<infer T>
    ? T
    : F[K] extends SettingFields
      ? SettingValues<F[K]>
      : never;
};

/** Options of a setting. */
export interface SettingFacts {
  readonly about: string;
  readonly isSecret?: boolean;
}

/** Declares a setting with a default, written as in the environment. */
export function setting<T>(
  name: string,
  schema: z.ZodType<T, string>,
  facts: SettingFacts & { readonly default: string },
): Setting<T> {
  const { about, isSecret = false } = facts;
  return {
    name,
    about,
    default: facts.default,
    isSecret,
    read: (text) => schema.parse(text ?? facts.default),
  };
}

/** Declares an optional setting. Its value is null or the result of `fallback` if it is not set. */
export function optionalSetting<T, N = null>(
  name: string,
  schema: z.ZodType<T, string>,
  facts: SettingFacts & { readonly fallback?: (base: SettingBase) => N },
): Setting<T | N> {
  const { about, isSecret = false, fallback } = facts;
  return {
    name,
    about,
    default: null,
    isSecret,
    read: (text, base) => {
      if (text !== null) return schema.parse(text);
      return fallback ? fallback(base) : (null as N);
    },
  };
}

/**
 * Declares a folder setting: an absolute path, or one relative to the working folder. `inside` is its default in
 * `DATA_DIR`.
 */
export function folderSetting(
  name: string,
  facts: SettingFacts & { readonly inside: string },
): Setting<string> {
  return {
    name,
    about: facts.about,
    default: null,
    isSecret: false,
    read: (text, { workingFolder, dataDir }) =>
      text === null ? resolve(dataDir, facts.inside) : resolve(workingFolder, text),
  };
}

/** Returns all settings of these fields, in their order. */
export function listSettings(fields: SettingFields): Setting<unknown>[] {
  return Object.values(fields).flatMap((field) => (isSetting(field) ? [field] : listSettings(field)));
}

/** Returns whether a field is a setting and not a group of fields. */
export function isSetting(field: Setting<unknown> | SettingFields): field is Setting<unknown> {
  return typeof field.read === 'function';
}

/** Returns a schema of a whole number from `min` to `max`. `rule` is the message for any other value. */
export function wholeNumber(min: number, max: number, rule = `must be a whole number from ${min} to ${max}`) {
  return z
    .string()
    .regex(/^\d+$/, rule)
    .transform(Number)
    .refine((value) => value >= min && value <= max, rule);
}

/** Schema of a switch: on, off, true, false, 1 or 0. */
export const onOff = z
  .string()
  .toLowerCase()
  .refine((text) => ['on', 'off', 'true', 'false', '1', '0'].includes(text), 'must be on or off')
  .transform((text) => ['on', 'true', '1'].includes(text));

/** Schema of an http or https URL. A trailing slash is removed. */
export const webAddress = z
  .url({ protocol: /^https?$/, error: 'must be an http or https address' })
  .transform((text) => text.replace(/\/+$/, ''));

/** Schema of the number of jobs of one type that run concurrently in a process. */
export const jobsAtOnce = wholeNumber(1, 64, 'it must be a whole number from 1 to 64');

/** Schema of a comma-separated list, which may be empty. */
export const commaList = z.string().transform((text) =>
  text
    .split(',')
    .map((part) => part.trim())
    .filter((part) => part !== ''),
);

/** Schema of a comma-separated list of names, converted to lower case. */
export const nameList = commaList.transform((list) => list.map((name) => name.toLowerCase()));
