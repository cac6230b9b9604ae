import type { z } from 'zod';
import type { Db } from './database.ts';
import { logOf } from './database-log.ts';
import { repairJson } from './repair-json.ts';

/**
 * Converts content from one version to the next. The content is passed without `schema_version`. It must accept any
 * stored content; the result is validated afterwards.
 */
export type Upgrade = (older: unknown) => unknown;

/** Options of {@link storedJson}. */
export interface StoredJsonOptions {
  /** Upgrades in order, the first from version 1 to version 2. The current version is their number plus one. */
  readonly upgrades?: readonly Upgrade[];
  /**
   * Defaults of missing or unreadable fields. An unreadable optional field without a default is dropped. Without
   * defaults one unreadable field makes the whole content unreadable.
   */
  readonly defaults?: object;
  /** Defaults of the fields of list entries, by the path of the entry, such as `decks.a.stems.*`. */
  readonly entryDefaults?: Readonly<Record<string, object>>;
}

/** Result of parsing stored content. */
export type ParsedJson<T> =
  | {
      readonly kind: 'readable';
      readonly value: T;
      /** Paths of unreadable values that were replaced by their defaults. */
      readonly replaced: readonly string[];
    }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** Format of the JSON of one column or file: schema, version, and how any version is read. */
export interface StoredJson<T> {
  /** Name of the content for the log. */
  readonly name: string;
  /** Version that {@link StoredJson.toStored} writes, from 1. */
  readonly version: number;
  /** Parses stored content of any version. Unknown fields are dropped. Never throws. */
  parse(stored: unknown): ParsedJson<T>;
  /**
   * Parses like {@link StoredJson.parse}, and logs unreadable values.
   *
   * @param row location of the content, such as the id of its row
   * @returns null if the content is unreadable
   */
  read(db: Db, stored: unknown, row: string): T | null;
  /** Returns the stored form of a value: an object with `schema_version`, which version 1 omits. */
  toStored(value: T): unknown;
  /** Returns {@link StoredJson.toStored} as JSON text. */
  toText(value: T): string;
}

const versionKey = 'schema_version';

/**
 * Defines a format of stored JSON. Content without `schema_version` is of version 1, so columns that are older than
 * this module need no migration. From version 2 on a list is stored as `{ schema_version, value }`.
 *
 * @param name name of the content for the log
 * @see docs/decisions/0271-versioned-stored-state.md
 */
export function storedJson<T>(
  name: string,
  schema: z.ZodType<T>,
  { upgrades = [], defaults, entryDefaults }: StoredJsonOptions = {},
): StoredJson<T> {
  const version = upgrades.length + 1;
  const toStored = (value: T): unknown => {
    if (version === 1) return value;
    return Array.isArray(value) ? { [versionKey]: version, value } : { [versionKey]: version, ...value };
  };
  const parse = (stored: unknown): ParsedJson<T> => {
    const found = unwrap(stored);
    let content = found.content;
    try {
      for (const upgrade of upgrades.slice(found.version - 1)) content = upgrade(content);
    } catch (error) {
      return { kind: 'unreadable', reason: `upgrade from version ${found.version}: ${String(error)}` };
    }
    return repairJson(schema, content, defaults, entryDefaults ?? {});
  };
  return {
    name,
    version,
    parse,
    read(db, stored, row) {
      const parsed = parse(stored);
      const entry = { stored: name, row };
      if (parsed.kind === 'unreadable') {
        logOf(db)?.error({ ...entry, reason: parsed.reason }, 'stored content cannot be read');
        return null;
      }
      const { replaced } = parsed;
      if (replaced.length > 0)
        logOf(db)?.warn({ ...entry, replaced }, 'stored values cannot be read and give way to defaults');
      return parsed.value;
    },
    toStored,
    toText: (value) => JSON.stringify(toStored(value)),
  };
}

function unwrap(stored: unknown): { readonly version: number; readonly content: unknown } {
  if (typeof stored !== 'object' || stored === null || Array.isArray(stored) || !(versionKey in stored))
    return { version: 1, content: stored };
  const { [versionKey]: version, ...content } = stored as Record<string, unknown>;
  const isList = Object.keys(content).length === 1 && Array.isArray(content['value']);
  return {
    version: typeof version === 'number' && version >= 1 ? Math.floor(version) : 1,
    content: isList ? content['value'] : content,
  };
}
