import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import { isDatabaseUnavailable } from '../db/connection.ts';
import { badRequest, failure, ServiceError, tooLarge, unauthorized, unavailable } from '../errors.ts';
import { fullDiskSentence } from '../full-disk.ts';
import { bareHeaders } from './bare-headers.ts';
import { type Html, html } from './html.ts';
import { plainPage } from './plain-page.ts';
import { isApiRequest } from './request-state.ts';

/** Room is made by a person, or by what is under way coming to an end. */
const fullDiskRetrySeconds = 60;

/** What is too large, by the code of whoever measured it. */
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
 * Whether something was to be written for a user who was deleted while the request ran.
 *
 * @see https://www.postgresql.org/docs/current/errcodes-appendix.html (23503, foreign_key_violation)
 */
function isOfDeletedUser(error: unknown): boolean {
  const { code, detail } = error as { readonly code?: unknown; readonly detail?: unknown };
  return (
    code === '23503' && typeof detail === 'string' && detail.endsWith('is not present in table "users".')
  );
}

/** What the caller is told about anything that was thrown while the request was answered. */
export function toServiceError(error: unknown, limits: SizeLimits): ServiceError {
  if (error instanceof ServiceError) return error;
  const { code, statusCode, message } = error as FastifyError;
  // The caller hung up in mid-request: their own reset, not the database's.
  if (code === 'ECONNRESET' && statusCode === 400) return badRequest('the request broke off');
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

/** Whether a reply is a page for a person rather than JSON for a program. */
export function wantsPage(request: FastifyRequest): boolean {
  return !isApiRequest(request) && (request.headers.accept ?? '').includes('text/html');
}

/** Answers an error: the envelope under `/api` and for whoever takes no HTML, a small page elsewhere. */
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
  // What was refused on purpose is told to the caller; a fault is told to the operator.
  if (known.status >= 500 && known !== error)
    request.log.error({ err: error, req: request }, 'a request failed');
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
  if (known.status === 401) reply.header('www-authenticate', 'Bearer realm="stem-studio"');
  if (!reply.hasHeader('content-security-policy')) reply.headers(bareHeaders);
  reply.code(known.status).header('cache-control', 'no-store');
  if (!wantsPage(request)) return reply.type('application/json; charset=utf-8').send(known.toBody());
  return reply.type('text/html; charset=utf-8').send(errorPage(known).text);
}

/** A message of an error as a sentence of its own: a capital first, a full stop last. */
function sentenceOf(message: string): string {
  const start = message.charAt(0).toUpperCase() + message.slice(1);
  return /[.!?…]$/.test(start) ? start : `${start}.`;
}

function errorPage(error: ServiceError): Html {
  return plainPage({
    title: error.status === 404 ? 'Nothing here' : 'That did not work',
    body: html`<p>${sentenceOf(error.message)}</p>
<p class="aside"><a href="/">Back to the studio</a></p>`,
  });
}
