import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { isDatabaseUnavailable } from '../db/connection.ts';
import { badRequest, failure, ServiceError, tooLarge, unauthorized, unavailable } from '../errors.ts';
import { fullDiskSentence } from '../full-disk.ts';
import { bareHeaders } from './bare-headers.ts';
import { type Html, html } from './html.ts';
import { plainPage } from './plain-page.ts';
import { isApiRequest } from './request-state.ts';

/** `Retry-After` of a full disk, in seconds. Space is freed by a person, or when running work ends. */
const fullDiskRetrySeconds = 60;

/** Returns the 413 error for an error code of the body parsers. */
function tooLargeBy(code: string, limits: SizeLimits): ServiceError {
  if (code === 'FST_ERR_CTP_BODY_TOO_LARGE')
    return tooLarge(`the body of this request must not be larger than ${limits.bodyBytes} bytes`);
  if (code === 'FST_REQ_FILE_TOO_LARGE')
    return tooLarge(`a file must not be larger than ${limits.maxUploadMb} MB`);
  return tooLarge('the form has too many parts, or a part that is too large');
}

interface SizeLimits {
  readonly maxUploadMb: number;
  readonly bodyBytes: number;
}

/**
 * Returns whether a write failed because its user was deleted while the request ran.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html (23503, foreign_key_violation)
 */
function isOfDeletedUser(error: unknown): boolean {
  const { code, detail } = error as { readonly code?: unknown; readonly detail?: unknown };
  return (
    code === '23503' && typeof detail === 'string' && detail.endsWith('is not present in table "users".')
  );
}

/** Converts any error of a request to the error that is sent to the client. */
export function toServiceError(error: unknown, limits: SizeLimits): ServiceError {
  if (error instanceof ServiceError) return error;
  const { code, statusCode, message } = error as FastifyError;
  // The client disconnected during the request. This ECONNRESET is the client's, not the database's.
  if (code === 'ECONNRESET' && statusCode === 400) return badRequest('the request was interrupted');
  if (isDatabaseUnavailable(error))
    return unavailable('the database cannot be reached: try again in a moment');
  const full = fullDiskSentence(error);
  if (full !== null) return unavailable(full, fullDiskRetrySeconds);
  if (isOfDeletedUser(error)) return unauthorized('this account has been deleted');
  if (typeof code === 'string' && code.startsWith('FST_')) {
    if (statusCode === 413) return tooLargeBy(code, limits);
    if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
      return badRequest('the content type of the body must be application/json');
    if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return badRequest(message);
  }
  if (statusCode === 400) return badRequest(message);
  return failure('INTERNAL_ERROR', 'something went wrong inside the service');
}

/** Returns whether the client expects an HTML page rather than JSON. */
export function wantsPage(request: FastifyRequest): boolean {
  return !isApiRequest(request) && (request.headers.accept ?? '').includes('text/html');
}

/** Sends an error: as JSON under `/api` and to clients that do not accept HTML, else as a small page. */
export function replyWithError(
  context: Context,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = toServiceError(error, {
    maxUploadMb: context.config.maxUploadMb,
    bodyBytes: request.routeOptions.bodyLimit,
  });
  // Intended rejections are only sent to the client; faults are logged for the operator.
  if (known.status >= 500 && known !== error)
    request.log.error({ err: error, req: request }, 'a request failed');
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
  if (known.status === 401) reply.header('www-authenticate', 'Bearer realm="stem-studio"');
  if (!reply.hasHeader('content-security-policy')) reply.headers(bareHeaders);
  reply.code(known.status).header('cache-control', 'no-store');
  if (!wantsPage(request)) return reply.type('application/json; charset=utf-8').send(known.toBody());
  return reply.type('text/html; charset=utf-8').send(errorPage(known).text);
}

/** Returns the message of an error as a sentence, with a capital letter and a full stop. */
function sentenceOf(message: string): string {
  const start = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?…]$/.test(start) ? start : `${start}.`;
}

function errorPage(error: ServiceError): Html {
  return plainPage({
    title: error.status === 404 ? 'Nothing here' : 'That did not work',
    body: html`<p>${sentenceOf(error.message)}</p>
<p class="note"><a href="/">Back to the studio</a></p>`,
  });
}
