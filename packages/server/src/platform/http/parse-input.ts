import type { ErrorDetails } from '@stem-studio/contract/errors';
import type { z } from 'zod';
import { invalid, notFound } from '../errors.ts';
import { issueText } from './issue-text.ts';

/** Returns validation messages by field name, such as `tags.0`. Messages about the whole input have the key `whole`. */
export function detailsOf(error: z.ZodError, whole: string): ErrorDetails {
  // The client chooses the field names, including `constructor` and `__proto__`, hence a Map.
  const details = new Map<string, string[]>();
  const add = (field: string, message: string) => {
    details.set(field, [...(details.get(field) ?? []), message]);
  };
  for (const issue of error.issues) {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) add([...path, key].join('.'), 'is not a known field');
    } else {
      add(path.join('.') || whole, issueText(issue));
    }
  }
  return Object.fromEntries(details);
}

/**
 * Adds every text below `value` that cannot be stored to `details`. PostgreSQL accepts neither U+0000 nor unpaired
 * surrogates.
 */
function findUnstorable(value: unknown, path: string, details: ErrorDetails): void {
  if (typeof value === 'string' && (value.includes('\0') || !value.isWellFormed()))
    details[path] = ['must be text without U+0000 and without halves of characters'];
  if (typeof value !== 'object' || value === null) return;
  for (const [name, inner] of Object.entries(value))
    findUnstorable(inner, path === '' ? name : `${path}.${name}`, details);
}

/**
 * Parses a body or a query. A missing body counts as an empty one. The result contains no text that the database
 * rejects. Throws 422 with details by field name.
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

/** Parses the parameters of a path. Throws 404 for an invalid id. */
export function parseParams(schema: z.ZodType | undefined, value: unknown, path: string): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value);
  if (parsed.success) return parsed.data;
  throw notFound(thingOf(path));
}

/** Returns the name of the resource of a path: `track` for `/api/tracks/:id/restore`. */
export function thingOf(path: string): string {
  const segments = path.split('/');
  const parameter = segments.findIndex((segment) => segment.startsWith(':'));
  const word = segments[parameter - 1] ?? 'page';
  return /[^i]s$/.test(word) ? word.slice(0, -1) : word;
}
