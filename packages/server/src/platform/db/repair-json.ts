import type { z } from 'zod';
import type { ParsedJson } from './stored-json.ts';

type Path = readonly PropertyKey[];
type Container = Record<PropertyKey, unknown>;

const isContainer = (value: unknown): value is Container => typeof value === 'object' && value !== null;

/** Maximum number of repairs. Content with more faults is not of this schema. */
const mostRepairs = 100;

/**
 * Parses content by a schema and repairs what does not match. Unknown fields are dropped, missing fields get their
 * default, and unreadable values are replaced by their default or that of the nearest enclosing field.
 *
 * @param defaults as in `StoredJsonOptions`; without them only unknown fields are dropped
 * @param entryDefaults defaults of list entries by their path, with `*` for the index
 */
export function repairJson<T>(
  schema: z.ZodType<T>,
  content: unknown,
  defaults: object | undefined,
  entryDefaults: Readonly<Record<string, object>>,
): ParsedJson<T> {
  let parsed = schema.safeParse(content);
  if (parsed.success) return { kind: 'readable', value: parsed.data, replaced: [] };
  const repaired: { content: unknown } = { content: structuredClone(content) };
  const replaced = new Set<string>();
  /** Number of repairs per path. Each further repair replaces a larger enclosing part. */
  const tries = new Map<string, number>();
  for (let repairs = 0; repairs < mostRepairs; repairs++) {
    const [issue] = parsed.error?.issues ?? [];
    if (!issue) break;
    const path = ['content', ...issue.path];
    const tried = tries.get(path.join('.')) ?? 0;
    tries.set(path.join('.'), tried + 1);
    if (issue.code === 'unrecognized_keys' && tried === 0) {
      const holder = valueAt(repaired, path);
      for (const key of issue.keys) if (isContainer(holder)) delete holder[key];
    } else if (defaults) {
      const wasMissing = valueAt(repaired, path) === undefined;
      const at = replaceByDefault(
        repaired,
        path.slice(0, path.length - tried),
        { content: defaults },
        entryDefaults,
      );
      if (at === null) break;
      if (!wasMissing || at.length < path.length) replaced.add(at.slice(1).map(String).join('.'));
    } else break;
    parsed = schema.safeParse(repaired.content);
    if (parsed.success) return { kind: 'readable', value: parsed.data, replaced: outermost(replaced) };
  }
  const [issue] = parsed.error?.issues ?? [];
  return { kind: 'unreadable', reason: `${issue?.path.join('.') || 'the whole'}: ${issue?.message}` };
}

/** Returns the paths that are not inside another one of the paths. */
function outermost(paths: ReadonlySet<string>): string[] {
  return [...paths].filter((path) => ![...paths].some((around) => path.startsWith(`${around}.`)));
}

function valueAt(root: unknown, path: Path): unknown {
  return path.reduce((value, key) => (isContainer(value) ? value[key] : undefined), root);
}

/** Sets the default of the deepest part of the path that has one. Returns the path of that part, or null. */
function replaceByDefault(
  root: Container,
  path: Path,
  defaults: Container,
  entryDefaults: Readonly<Record<string, object>>,
): Path | null {
  for (let length = path.length; length >= 1; length--) {
    const at = path.slice(0, length);
    const key = at.at(-1) ?? '';
    const holder = valueAt(root, at.slice(0, -1));
    const around = defaultAt(defaults, at.slice(0, -1), entryDefaults);
    if (!isContainer(holder) || Array.isArray(holder) || !isContainer(around) || Array.isArray(around))
      continue;
    if (key in around) holder[key] = structuredClone(around[key]);
    else delete holder[key];
    return at;
  }
  return null;
}

function defaultAt(defaults: unknown, path: Path, entryDefaults: Readonly<Record<string, object>>): unknown {
  let found: unknown = defaults;
  const walked: string[] = [];
  for (const key of path) {
    const isEntry = typeof key === 'number';
    walked.push(isEntry ? '*' : String(key));
    if (isEntry) found = entryDefaults[walked.slice(1).join('.')];
    else found = isContainer(found) ? found[key] : undefined;
  }
  return found;
}
