import type { z } from 'zod';
import type { Db } from './database.ts';
import { logOf } from './database-log.ts';
import { repairJson } from './repair-json.ts';

/**
 * Turns content of one version into that of the next one. Gets the content without `schema_version`, and must take
 * whatever was stored: what it makes of it is checked afterwards.
 */
export type Upgrade = (older: unknown) => unknown;

/** What {@link storedJson} may be given. */
export interface StoredJsonOptions {
  /** The first one turns version 1 into version 2, and so on: their number is the present version less one. */
  readonly upgrades?: readonly Upgrade[];
  /**
   * Values of fields that are missing or unreadable. An optional field that stands in no default is dropped where it is
   * unreadable. Without defaults one unreadable field makes the whole content unreadable.
   */
  readonly defaults?: object;
  /** Defaults of the fields of list entries, by the path of the entry, such as `decks.a.stems.*`. */
  readonly entryDefaults?: Readonly<Record<string, object>>;
}

/** What was made of stored content. */
export type ParsedJson<T> =
  | {
      readonly kind: 'readable';
      readonly value: T;
      /** Paths of the values that were unreadable and gave way to their defaults; the rest was kept. */
      readonly replaced: readonly string[];
    }
  | { readonly kind: 'unreadable'; readonly reason: string };

/** The JSON of one column or file: its schema, its version and how it is read whatever version wrote it. */
export interface StoredJson<T> {
  /** What is stored, for the log. */
  readonly name: string;
  /** Version that {@link StoredJson.toStored} writes, from 1. */
  readonly version: number;
  /** Parses stored content of any version. Fields that the schema does not know are left out. Never throws. */
  parse(stored: unknown): ParsedJson<T>;
  /**
   * {@link StoredJson.parse}, with a log entry for what was unreadable.
   *
   * @param row where the content stands, such as the id of its row
   * @returns null where the content is unreadable
   */
  read(db: Db, stored: unknown, row: string): T | null;
  /** Returns the value as it is stored: an object with `schema_version`, which version 1 does not have. */
  toStored(value: T): unknown;
  /** Returns {@link StoredJson.toStored} as text. */
  toText(value: T): string;
}

const versionKey = 'schema_version';

/**
 * Defines JSON that is stored. Content without `schema_version` is of version 1, so that columns which are older than
 * this module need no migration. From version 2 on a list is stored as `{ schema_version, value }`.
 *
 * @param name what is stored, for the log
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
