import type { EndpointSpec } from '@stem-studio/contract/endpoint';
import { type RateLimitName, strictRateLimits } from '@stem-studio/contract/limits';
import type { FastifyReply, FastifyRequest } from 'fastify';
import type { Context } from '../context.ts';
import type { Caller } from '../db/connection-shares.ts';
import { rateLimited, unavailable } from '../errors.ts';
import { networkOf } from './network-of.ts';
import { type RateState, takeRateLimit } from './rate-limit.ts';
import type { Authenticator, Viewer } from './viewer.ts';

declare module 'fastify' {
  interface FastifyInstance {
    /** Authenticates requests. */
    authenticator: Authenticator;
    /** All mounted endpoints of the contract, in mount order. */
    mountedEndpoints: EndpointSpec[];
  }
  interface FastifyContextConfig {
    /** Excludes the route from rate limits and authentication. */
    isUnlimited?: boolean;
  }
  interface FastifyRequest {
    /** Cached result of the authentication; undefined before the first use. */
    knownViewer: Promise<Viewer | null> | undefined;
    /** Caller that the request's queries are attributed to. */
    caller: Caller | null;
    /** State of the most exhausted limit, shown in the headers. */
    rateState: RateState | null;
  }
}

/** Returns whether the request is to the API, also if its path is percent-encoded (`/%61pi/tracks`). */
export function isApiRequest(request: FastifyRequest): boolean {
  const path = request.routeOptions.url ?? request.url.split('?', 1)[0] ?? '';
  return path === '/api' || path.startsWith('/api/');
}

/** Returns the user of the request. The authenticator is called once per request. */
export function viewerOf(request: FastifyRequest): Promise<Viewer | null> {
  request.knownViewer ??= request.server.authenticator.viewerOf(request).then((viewer) => {
    if (viewer && request.caller) request.caller.key = `user:${viewer.id}`;
    return viewer;
  });
  return request.knownViewer;
}

/** Returns the rate-limit key of a request: its user, or before login its network address. */
export function rateKey(request: FastifyRequest, viewer: Viewer | null): string {
  return viewer ? `user:${viewer.id}` : `address:${networkOf(request.ip)}`;
}

/**
 * Counts the request against a further limit and shows it in the headers if it has fewer requests left. Throws
 * `rateLimited` if it is exhausted, and `unavailable` if a login, a registration or a password attempt cannot be
 * counted.
 */
export async function enforceRateLimit(
  context: Context,
  request: FastifyRequest,
  reply: FastifyReply,
  name: RateLimitName,
  key: string,
): Promise<void> {
  const state = await takeRateLimit(context, name, key);
  if (!state.isCounted && strictRateLimits.has(name)) {
    context.log.error({ limit: name }, 'an attempt was refused because attempts cannot be counted');
    throw unavailable(
      'attempts cannot be counted at the moment, so none is accepted: try again later, or ask the operator of this studio to check the log',
    );
  }
  if (!request.rateState || state.remaining <= request.rateState.remaining || state.isExceeded) {
    request.rateState = state;
    reply.header('x-ratelimit-limit', state.limit);
    reply.header('x-ratelimit-remaining', state.remaining);
    reply.header('x-ratelimit-reset', state.resetsAt);
  }
  if (state.isExceeded) throw rateLimited(state.retryAfterSeconds);
}
