import type { IncomingMessage } from 'node:http';
import type { Context } from '../context.ts';
import { badRequest, failure, forbidden, rateLimited, ServiceError, unauthorized } from '../errors.ts';
import { createHostCheck, refusalOfHost } from '../http/allowed-hosts.ts';
import { createAddressReader } from '../http/client-address.ts';
import { toServiceError } from '../http/error-reply.ts';
import { networkOf } from '../http/network-of.ts';
import { type RateState, takeRateLimit } from '../http/rate-limit.ts';
import type { Authenticator, Viewer } from '../http/viewer.ts';

/**
 * Paths of the sockets: `/socket/websocket` for programs and pages, `/live/websocket` for the service's own pages only.
 */
export const socketPaths = ['/socket/websocket', '/live/websocket'] as const;
/** One of {@link socketPaths}. */
export type SocketPath = (typeof socketPaths)[number];

/** Result of a WebSocket upgrade request: the admitted user, or the error. */
export type Admission =
  | { readonly viewer: Viewer; readonly path: SocketPath; readonly rate: RateState }
  | { readonly error: ServiceError; readonly rate: RateState };

/** Admission control for sockets. */
export interface Doorkeeper {
  /** Checks an upgrade request. Never rejects. */
  admit(request: IncomingMessage): Promise<Admission>;
  /** Returns the rejection of an invalid upgrade request. */
  refuse(request: IncomingMessage, reason: string): Promise<Extract<Admission, { error: unknown }>>;
  /** Returns the error for a user with too many sockets. */
  tooMany(reason: string): ServiceError;
  /** Returns the rate-limit key of a request before authentication: its IPv4 address or IPv6 network. */
  networkOf(request: IncomingMessage): string;
}

/** `Retry-After` for a user with too many sockets, in seconds. */
const retryAfterSeconds = 30;

/** Creates admission control that authenticates with `authenticator`. */
export function createDoorkeeper(context: Context, authenticator: Authenticator): Doorkeeper {
  const addressOf = createAddressReader(context.config.trustedProxies);
  const isAllowedHost = createHostCheck(context.config);
  const take = (request: IncomingMessage, viewer: Viewer | null) =>
    takeRateLimit(context, 'web', viewer ? `user:${viewer.id}` : `address:${networkOf(addressOf(request))}`);
  return {
    admit: async (request) => {
      const refusal = refusalOfHost(isAllowedHost, request);
      if (refusal) return { error: refusal, rate: await take(request, null) };
      const url = socketUrl(request);
      let viewer: Viewer | null = null;
      let trouble: unknown;
      try {
        viewer = url && (await authenticator.viewerOfSocket(request));
      } catch (error) {
        trouble = error;
      }
      const rate = await take(request, viewer);
      try {
        if (trouble !== undefined) throw trouble;
        if (rate.isExceeded) throw rateLimited(rate.retryAfterSeconds);
        if (!url) throw failure('NOT_FOUND', 'socket not found');
        checkVersion(url);
        if (!viewer) throw unauthorized();
        const path = url.pathname as SocketPath;
        if (path === '/live/websocket') {
          checkLive(context, request, viewer);
          authenticator.checkSocketCsrf(url.searchParams.get('_csrf_token'), viewer);
        } else if (viewer.via === 'cookie' && request.headers.origin !== undefined)
          checkOrigin(context, request);
        return { viewer, path, rate };
      } catch (error) {
        const known = toServiceError(error, { maxUploadMb: context.config.maxUploadMb, bodyBytes: 0 });
        if (known.status >= 500) context.log.warn({ err: error }, 'a socket could not be opened');
        return { error: known, rate };
      }
    },
    refuse: async (request, reason) => ({
      error: badRequest(`the socket cannot be opened (${reason})`),
      rate: await take(request, null),
    }),
    tooMany: (reason) => new ServiceError('RATE_LIMITED', reason, { retryAfterSeconds }),
    networkOf: (request) => networkOf(addressOf(request)),
  };
}

/** Returns the URL of a request, or null if it is invalid or not a socket path. */
function socketUrl(request: IncomingMessage): URL | null {
  const address = `http://localhost${request.url ?? '/'}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  return url && socketPaths.some((path) => path === url.pathname) ? url : null;
}

function checkVersion(url: URL): void {
  const version = url.searchParams.get('vsn') ?? '';
  if (!/^2\.0\.\d+$/.test(version)) throw badRequest(`vsn must be 2.0.x (got ${JSON.stringify(version)})`);
}

/** Checks that the live socket is opened by a page in a browser. Browsers always send the origin. */
function checkLive(context: Context, request: IncomingMessage, viewer: Viewer): void {
  if (viewer.via !== 'cookie')
    throw unauthorized('the live socket is for browsers: log in, and open it with the login cookie');
  checkOrigin(context, request);
}

/** Checks the origin of a socket with a login cookie. Browsers send cookies with sockets of any origin. */
function checkOrigin(context: Context, request: IncomingMessage): void {
  const { origin = '', host } = request.headers;
  const url = URL.canParse(origin) ? new URL(origin) : null;
  const { publicUrl } = context.config;
  if (url && (url.host === host || (publicUrl !== null && new URL(publicUrl).origin === origin))) return;
  throw forbidden(
    `a socket under the login cookie must be opened by our own pages (got the origin ${JSON.stringify(origin)})`,
  );
}
