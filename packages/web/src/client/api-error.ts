import type { ErrorDetails } from '@stem-studio/contract/errors';

/** Fields of an {@link ApiError} in addition to its message. */
export interface ApiErrorFields {
  status: number;
  code: string;
  details?: ErrorDetails | undefined;
  retry_after?: number | undefined;
}

/**
 * A call that the service refused or that did not reach it (`status` 0, `code` `OFFLINE`). `message` is the service's
 * own message.
 */
export class ApiError extends Error {
  readonly status: number;
  readonly code: string;
  readonly details: ErrorDetails;
  /** Seconds until a retry may succeed; null unless a rate limit refused the call. */
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
 * Returns the text of an error for the user: the problem, then the remedy. Messages about single fields are joined,
 * because the page shows them beside one control.
 */
export function errorText(error: unknown): string {
  if (!(error instanceof ApiError)) return error instanceof Error ? error.message : String(error);
  if (error.status === 0) return 'The studio is not reachable. Nothing was lost; reconnecting…';
  if (error.status === 401) return 'You are logged out. Log in again in a new tab, then retry.';
  if (error.retry_after !== null) {
    return `Too many requests. Nothing was changed; retry in ${error.retry_after} s.`;
  }
  const details = Object.values(error.details).flat();
  const sentence = details.length > 0 ? details.join('; ') : error.message;
  return sentence.length === 0 ? `The studio responded with status ${error.status}.` : asSentence(sentence);
}

function asSentence(text: string): string {
  const sentence = text.charAt(0).toUpperCase() + text.slice(1);
  return /[.!?…]$/.test(sentence) ? sentence : `${sentence}.`;
}
