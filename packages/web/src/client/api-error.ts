import type { ErrorDetails } from '@stem-studio/contract/errors';

/** What an {@link ApiError} carries beside its sentence. */
export interface ApiErrorFields {
  status: number;
  code: string;
  details?: ErrorDetails | undefined;
  retry_after?: number | undefined;
}

/**
 * A call that the service refused, or that never reached it (`status` 0, `code` `OFFLINE`). `message` is the
 * service's own sentence.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: ErrorDetails;
  /** Seconds until the same call may succeed; null unless a limit refused it. */
  readonly retry_after: number | null;

  constructor(message: string, fields: ApiErrorFields) {
    super(message);
    this.name = 'ApiError';
    this.status = fields.status;
    this.code = fields.code;
    this.details = fields.details ?? {};
    this.retry_after = fields.retry_after ?? null;
  }
}

/**
 * An error in words for the person at the page: what happened, then what to do. Messages about single fields are
 * joined, since the page shows them beside one control.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  if (error.status === 0) return 'The studio cannot be reached. Nothing was lost; it reconnects by itself.';
  if (error.status === 401) return 'You are logged out. Log in again in a new tab, then repeat this.';
  if (error.retry_after !== null) {
    return `Too many requests just now. Nothing was changed; try again in ${error.retry_after} s.`;
  }
  const details = Object.values(error.details).flat();
  const sentence = details.length > 0 ? details.join('; ') : error.message;
  return sentence.length === 0 ? `The studio answered with ${error.status}.` : asSentence(sentence);
}

function asSentence(words: string): string {
  const sentence = words.charAt(0).toUpperCase() + words.slice(1);
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}
