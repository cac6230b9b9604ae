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

/** What the user reads where the arguments of a job cannot be read; the log names the fault. */
export const unreadableArgs = 'something went wrong inside the service; its log says more';

/**
 * What the user reads as the reason of a failed job: the error's own sentence where it was written for people, a
 * neutral one where it is a fault of ours (a broken query, a programming error), which belongs into the log.
 */
export function failureSentence(error: unknown): string {
  const neutral = unreadableArgs;
  if (!(error instanceof Error)) return neutral;
  if (error instanceof ServiceError) return error.message;
  const full = fullDiskSentence(error);
  if (full !== null) return full;
  const { code } = error as { code?: unknown };
  if (typeof code === 'string' && systemSentences[code]) return systemSentences[code];
  // Errors of the database driver and of the operating system carry a code and words that mean nothing outside.
  if (typeof code === 'string' && !('isRetryable' in error)) return neutral;
  if (programmingErrors.some((kind) => error instanceof kind)) return neutral;
  return error.message || neutral;
}
