import type { FastifyError, FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../../context.ts';
import { isDatabaseUnavailable } from '../db/connection.ts';
import { badRequest, failure, ServiceError, tooLarge, unavailable } from '../errors.ts';
import { type Html, html } from './html.ts';
import { plainPage } from './plain-page.ts';

/** What the caller is told about anything that was thrown while the request was answered. */
export function toServiceError(error: unknown, maxUploadMb: number): ServiceError {
  if (error instanceof ServiceError) return error;
  if (isDatabaseUnavailable(error))
    return unavailable('the database cannot be reached: try again in a moment');
  const { code, statusCode, message } = error as FastifyError;
  if (typeof code === 'string' && code.startsWith('FST_')) {
    if (statusCode === 413) return tooLarge(`the request must not be larger than ${maxUploadMb} MB`);
    if (code === 'FST_ERR_CTP_INVALID_MEDIA_TYPE')
      return badRequest('the content type of the body must be application/json');
    if (statusCode !== undefined && statusCode >= 400 && statusCode < 500) return badRequest(message);
  }
  if (statusCode === 400) return badRequest(message);
  return failure('INTERNAL_ERROR', 'something went wrong inside the service');
}

/** Whether a reply is a page for a person rather than JSON for a program. */
export function wantsPage(request: FastifyRequest): boolean {
  return !request.url.startsWith('/api') && (request.headers.accept ?? '').includes('text/html');
}

/** Answers an error: the envelope under `/api` and for whoever takes no HTML, a small page elsewhere. */
export function replyWithError(
  context: Context,
  error: unknown,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const known = toServiceError(error, context.config.maxUploadMb);
  if (known.status >= 500) request.log.error({ err: error, req: request }, 'a request failed');
  if (known.retryAfterSeconds !== undefined) reply.header('retry-after', known.retryAfterSeconds);
  if (known.status === 401) reply.header('www-authenticate', 'Bearer realm="stem-studio"');
  reply.code(known.status).header('cache-control', 'no-store');
  if (!wantsPage(request)) return reply.type('application/json; charset=utf-8').send(known.toBody());
  return reply.type('text/html; charset=utf-8').send(errorPage(known).text);
}

function errorPage(error: ServiceError): Html {
  return plainPage({
    title: error.status === 404 ? 'Nothing here' : 'That did not work',
    body: html`<p>${error.message}</p>
<p class="aside"><a href="/">Back to the studio</a></p>`,
  });
}
