import { type ErrorBody, type ErrorCode, type ErrorDetails, errorCodes } from '@stem-studio/contract/errors';

/**
 * A refusal that the caller is told, with a code of the contract's table. Anything else that is thrown while a request
 * is answered becomes a 500 that says nothing.
 *
 * @spec Errors
 */
export class ServiceError extends Error {
  readonly code: ErrorCode;
  readonly status: number;
  /** Messages by field name; present on every 422. */
  readonly details?: ErrorDetails;
  /** Whole seconds until asking again makes sense; present on every 429. */
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

  /** The body of the reply. */
  toBody(): ErrorBody {
    return {
      error: this.message,
      code: this.code,
      ...(this.details && { details: this.details }),
      ...(this.retryAfterSeconds !== undefined && { retry_after: this.retryAfterSeconds }),
    };
  }
}

/** Any code of the table. */
export function failure(code: ErrorCode, message: string, details?: ErrorDetails): ServiceError {
  return new ServiceError(code, message, { details });
}

/** 400 `BAD_REQUEST`: what was sent cannot be read at all. */
export function badRequest(message: string): ServiceError {
  return new ServiceError('BAD_REQUEST', message);
}

/** 401 `UNAUTHORIZED`: no token, or one that holds no longer. */
export function unauthorized(message = 'log in, or send "Authorization: Bearer <API token>"'): ServiceError {
  return new ServiceError('UNAUTHORIZED', message);
}

/** 403 `FORBIDDEN`: known, but not allowed. */
export function forbidden(message = 'your role does not allow this'): ServiceError {
  return new ServiceError('FORBIDDEN', message);
}

/** 404 `NOT_FOUND`: `notFound('track')` says "track not found". What belongs to somebody else is not found either. */
export function notFound(what: string): ServiceError {
  return new ServiceError('NOT_FOUND', `${what} not found`);
}

/** 422 `VALIDATION_ERROR` with messages by field name. */
export function invalid(details: ErrorDetails, message?: string): ServiceError {
  const first = Object.entries(details)[0];
  const sentence = first ? `${first[0]} ${first[1][0] ?? 'is not valid'}` : 'the request is not valid';
  return new ServiceError('VALIDATION_ERROR', message ?? sentence, { details });
}

/** 422 with a code of its own: the request is well formed, but the state of the thing forbids it. */
export function stateForbids(code: ErrorCode, message: string, details: ErrorDetails = {}): ServiceError {
  return new ServiceError(code, message, { details });
}

/** 429 `RATE_LIMITED`: ask again after so many seconds. */
export function rateLimited(retryAfterSeconds: number): ServiceError {
  const seconds = Math.max(1, Math.ceil(retryAfterSeconds));
  return new ServiceError('RATE_LIMITED', `too many requests: try again in ${seconds} s`, {
    retryAfterSeconds: seconds,
  });
}

/** 413 `PAYLOAD_TOO_LARGE`, with the rule in the message. */
export function tooLarge(message: string): ServiceError {
  return new ServiceError('PAYLOAD_TOO_LARGE', message);
}

/** 503 `UNAVAILABLE`: stopping, or the database cannot be reached. */
export function unavailable(message: string, retryAfterSeconds = 5): ServiceError {
  return new ServiceError('UNAVAILABLE', message, { retryAfterSeconds });
}

/**
 * Something outside failed (network, disk, another service) and may work next time. A worker that throws an error with
 * `isRetryable === true` is asked again, with growing pauses, as long as attempts are left.
 */
export class RetryableError extends Error {
  readonly isRetryable = true;

  constructor(message: string, options?: ErrorOptions) {
    super(message, options);
    this.name = 'RetryableError';
  }
}

/** Whether an error says of itself that the same may work next time. */
export function isRetryable(error: unknown): boolean {
  return error instanceof Error && 'isRetryable' in error && error.isRetryable === true;
}

/** The message of whatever was thrown. */
export function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
