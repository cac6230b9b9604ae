import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';

/**
 * Whether what a browser says of the page that sends a request allows it to be one of ours. Every browser says it with
 * each request that may change something; programs say nothing, and are believed.
 *
 * @see https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Origin
 * @see https://developer.mozilla.org/docs/Web/HTTP/Reference/Headers/Sec-Fetch-Site
 */
export function isOwnPage(context: Context, request: FastifyRequest): boolean {
  const { origin, 'sec-fetch-site': site } = request.headers;
  if (origin === undefined) return site !== 'cross-site' && site !== 'same-site';
  const url = URL.canParse(origin) ? new URL(origin) : null;
  if (!url) return false;
  const { publicUrl } = context.config;
  if (publicUrl !== null && new URL(publicUrl).origin === origin) return true;
  // Under the scheme of the page, so that a port that goes without saying may be said.
  const here = `${url.protocol}//${request.host}`;
  return URL.canParse(here) && new URL(here).host === url.host;
}
