import { type ErrorCode, errorCodes } from '@stem-studio/contract/error-codes';
import type { ErrorBody, ErrorDetails } from '@stem-studio/contract/errors';

/**
 * Error that is sent to the client, with a code of the contract's table. Any other error of a request becomes a 500
 * without details.
 *
 * @spec Errors
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** Messages by field name; present on every 422. */
  readonly details?: ErrorDetails;
  /** Whole seconds until a retry makes sense; present on every 429. */
  readonly retryAfterSeconds?: number;

  constructor(
    code: ErrorCode,
    message: string,
    extra: { details?: ErrorDetails; retryAfterSeconds?: number; cause?: unknown } = {},
  ) {
    super(message, extra.cause === undefined ? undefined : { cause: extra.cause });
    this.name = 'ServiceError';
    this.code = code;
    this.status = errorCodes[code];
    this.details = extra.details ?? (this.status === 422 ? {} : undefined);
    this.retryAfterSeconds = extra.retryAfterSeconds;
  }

  /** Returns the body of the reply. */
  toBody(): ErrorBody {
    return {
      error: this.message,
      code: this.code,
      ...(this.details && { details: this.details }),
      ...(this.retryAfterSeconds !== undefined && { retry_after: this.retryAfterSeconds }),
    };
  }
}

/** Returns an error with any code of the table. */
export function failure(code: ErrorCode, message: string, details?: ErrorDetails): ServiceError {
  return new ServiceError(code, message, { details });
}

/** Returns a 400 `BAD_REQUEST`: the request cannot be parsed. */
export function badRequest(message: string): ServiceError {
  return new ServiceError('BAD_REQUEST', message);
}

/** Returns a 401 `UNAUTHORIZED`: the token is missing or invalid. */
export function unauthorized(message = 'log in, or send "Authorization: Bearer <API token>"'): ServiceError {
  return new ServiceError('UNAUTHORIZED', message);
}

/** Returns a 403 `FORBIDDEN`: the user is authenticated, but not permitted. */
export function forbidden(message = 'your role does not allow this'): ServiceError {
  return new ServiceError('FORBIDDEN', message);
}

/**
 * Returns a 404 `NOT_FOUND`: `notFound('track')` has the message "track not found". Also used for resources of other
 * users.
 */
export function notFound(what: string): ServiceError {
  return new ServiceError('NOT_FOUND', `${what} not found`);
}

/** Returns a 422 `VALIDATION_ERROR` with messages by field name. */
export function invalid(details: ErrorDetails, message?: string): ServiceError {
  const first = Object.entries(details)[0];
  const sentence = first ? `${first[0]} ${first[1][0] ?? 'is not valid'}` : 'the request is not valid';
  return new ServiceError('VALIDATION_ERROR', message ?? sentence, { details });
}

/** Returns a 422 with a specific code: the request is well formed, but the state of the resource forbids it. */
export function stateForbids(code: ErrorCode, message: string, details: ErrorDetails = {}): ServiceError {
  return new ServiceError(code, message, { details });
}

/** Returns a 429 `RATE_LIMITED` with the number of seconds until a retry. */
export function rateLimited(retryAfterSeconds: number): ServiceError {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  return new ServiceError('RATE_LIMITED', `too many requests: try again in ${seconds} s`, {
    retryAfterSeconds: seconds,
  });
}

/** Returns a 413 `PAYLOAD_TOO_LARGE`, with the limit in the message. */
export function tooLarge(message: string): ServiceError {
  return new ServiceError('PAYLOAD_TOO_LARGE', message);
}

/** Returns a 503 `UNAVAILABLE`: the service is stopping, or the database is unreachable. */
export function unavailable(message: string, retryAfterSeconds = 5): ServiceError {
  return new ServiceError('UNAVAILABLE', message, { retryAfterSeconds });
}

/**
 * Error of an external cause (network, disk, another service) that may be temporary. A job whose worker throws an error
 * with `isRetryable === true` is retried after growing delays, up to its maximum number of attempts.
 */
export class RetryableError extends Error {
  readonly isRetryable = true;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RetryableError';
  }
}

/** Returns whether an error is marked as retryable. */
export function isRetryable(error: unknown): boolean {
  return error instanceof Error && 'isRetryable' in error && error.isRetryable === true;
}

/** Returns the message of any thrown value. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
