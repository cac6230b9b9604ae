import { z } from 'zod';
import { ServiceError } from '../errors.ts';
import { fullDiskSentence } from '../full-disk.ts';

const programmingErrors = [
  TypeError,
  RangeError,
  ReferenceError,
  SyntaxError,
  URIError,
  AggregateError,
  z.ZodError,
];

const systemSentences: Readonly<Record<string, string>> = {
  EROFS: 'the disk cannot be written to',
  EACCES: 'the service may not write to its folder',
};

/** Message for the user if the arguments of a job cannot be read. The log has the details. */
export const unreadableArgs = 'something went wrong inside the service; its log says more';

/**
 * Returns the reason of a failed job that is shown to the user. This is the message of the error if it was written for
 * users, and a neutral message for internal errors (a failed query, a programming error), which belong into the log.
 */
export function failureSentence(error: unknown): string {
  const neutral = unreadableArgs;
  if (!(error instanceof Error)) return neutral;
  if (error instanceof ServiceError) return error.message;
  const full = fullDiskSentence(error);
  if (full !== null) return full;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && systemSentences[code]) return systemSentences[code];
  // Errors of the database driver and of the operating system carry a code and a message that mean nothing to users.
  if (typeof code === 'string' && !('isRetryable' in error)) return neutral;
  if (programmingErrors.some((kind) => error instanceof kind)) return neutral;
  return error.message || neutral;
}
