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
    /** Tells who asks. */
    authenticator: Authenticator;
    /** Every endpoint of the contract that has been mounted, in that order. */
    mountedEndpoints: EndpointSpec[];
  }
  interface FastifyContextConfig {
    /** Not counted against any rate limit, and nobody is asked who sent it. */
    isUnlimited?: boolean;
  }
  interface FastifyRequest {
    /** Asked once a request; undefined until then. */
    knownViewer: Promise<Viewer | null> | undefined;
    /** On whose behalf its queries run. */
    caller: Caller | null;
    /** The limit that has the least left, as the headers show it. */
    rateState: RateState | null;
  }
}

/** Whether the request is one to the API, however its path is spelled: `/%61pi/tracks` leads there too. */
export function isApiRequest(request: FastifyRequest): boolean {
  const path = request.routeOptions.url ?? request.url.split('?', 1)[0] ?? '';
  return path === '/api' || path.startsWith('/api/');
}

/** Who sent the request; asked of the authenticator once, however often it is called. */
export function viewerOf(request: FastifyRequest): Promise<Viewer | null> {
  request.knownViewer ??= request.server.authenticator.viewerOf(request).then((viewer) => {
    if (viewer && request.caller) request.caller.key = `user:${viewer.id}`;
    return viewer;
  });
  return request.knownViewer;
}

/** Under which name a request is counted: its user, or its address before login. */
export function rateKey(request: FastifyRequest, viewer: Viewer | null): string {
  return viewer ? `user:${viewer.id}` : `address:${networkOf(request.ip)}`;
}

/**
 * Counts the request against one more limit and shows it in the headers if it has less left. Throws `rateLimited` when
 * it is used up, and `unavailable` when a log-in, a registration or a password cannot be counted.
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
      'attempts cannot be counted at the moment, so none is accepted: try again later, or ask whoever runs this studio to look at the log',
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
