import type { ErrorDetails } from '@stem-studio/contract/errors';
import type { z } from 'zod';
import { invalid, notFound } from '../errors.ts';

/** Messages by field name (`tags.0` for what stands inside), `whole` for what concerns everything together. */
export function detailsOf(error: z.ZodError, whole: string): ErrorDetails {
  const details: ErrorDetails = {};
  const add = (field: string, message: string) => {
    (details[field] ??= []).push(message);
  };
  for (const issue of error.issues) {
    const path = issue.path.map(String);
    if (issue.code === 'unrecognized_keys') {
      for (const key of issue.keys) add([...path, key].join('.'), 'is not a known field');
    } else {
      add(path.join('.') || whole, messageOfIssue(issue));
    }
  }
  return details;
}

function messageOfIssue(issue: z.core.$ZodIssue): string {
  if (issue.code === 'invalid_type' && issue.input === undefined && issue.message.startsWith('Invalid input'))
    return 'is required';
  const message = issue.message
    .replace(/^Invalid (input|option|string): /, '')
    .replace(/^expected /, 'must be ');
  return message.replace(/, received undefined$/, '').replace(/^must be one of /, 'must be one of ');
}

/** Parses a body or a query; throws 422 with details by field name. An absent body is an empty one. */
export function parseFields(schema: z.ZodType | undefined, value: unknown, whole: string): unknown {
  if (!schema) return undefined;
  const parsed = schema.safeParse(value ?? {}, { reportInput: true });
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
