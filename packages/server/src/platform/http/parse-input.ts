import type { ErrorDetails } from '@stem-studio/contract/errors';
import type { z } from 'zod';
import { invalid, notFound } from '../errors.ts';

/** Messages by field name (`tags.0` for what stands inside), `whole` for what concerns everything together. */
export function detailsOf(error: z.ZodError, whole: string): ErrorDetails {
  // Fields are named by the caller: `constructor` and `__proto__` are names like any other.
  const details = new Map<string, string[]>();
  const add = (field: string, message: string) => {
    details.set(field, [...(details.get(field) ?? []), message]);
  };
  for (const issue of error.issues) {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) add([...path, key].join('.'), 'is not a known field');
    } else {
      add(path.join('.') || whole, messageOfIssue(issue));
    }
  }
  return Object.fromEntries(details);
}

function messageOfIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined && issue.message.startsWith('Invalid input'))
    return 'is required';
  const message = issue.message
    .replace(/^Invalid (input|option|string): /, '')
    .replace(/^expected /, 'must be ');
  return message.replace(/, received undefined$/, '').replace(/^must be one of /, 'must be one of ');
}

/**
 * Adds to `details` every text below `value` that no database can hold: PostgreSQL takes neither U+0000 nor half of a
 * surrogate pair.
 */
function findUnstorable(value: unknown, path: string, details: ErrorDetails): void {
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
    details[path] = ['must be text without U+0000 and without halves of characters'];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value))
    findUnstorable(inner, path === '' ? name : `${path}.${name}`, details);
}

/**
 * Parses a body or a query; throws 422 with details by field name. An absent body is an empty one. No text that comes
 * out of it is one that the database refuses.
 */
export function parseFields(schema: z.ZodType | undefined, value: unknown, whole: string): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value === undefined ? {} : value, { reportInput: true });
  if (parsed.success) {
    const details: ErrorDetails = {};
    findUnstorable(parsed.data, '', details);
    if (Object.keys(details).length > 0) throw invalid(details);
  }
  if (parsed.success) return parsed.data;
  throw invalid(detailsOf(parsed.error, whole));
}

/** Parses the parameters of a path; an id that cannot exist is not found. */
export function parseParams(schema: z.ZodType | undefined, value: unknown, path: string): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw notFound(thingOf(path));
}

/** What a path is about: `track` for `/api/tracks/:id/restore`. */
export function thingOf(path: string): string {
  const segments = path.split('/');
  const parameter = segments.findIndex((segment) => segment.startsWith(':'));
  const word = segments[parameter - 1] ?? 'page';
  return /[^i]s$/.test(word) ? word.slice(0, -1) : word;
}
