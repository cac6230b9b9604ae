import type { FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';

/**
 * Returns whether the request may come from one of the service's own pages, judged by its `Origin` and `Sec-Fetch-Site`
 * headers. Browsers send `Origin` with every request that may change state. Requests without these headers come from
 * programs and are accepted.
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
  // Parsed with the scheme of the page, so that an explicit default port compares as equal.
  const here = `${url.protocol}//${request.host}`;
  return URL.canParse(here) && new URL(here).host === url.host;
}
