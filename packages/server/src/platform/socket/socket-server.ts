import type { Server } from 'node:http';
import { type IncomingMessage, STATUS_CODES } from 'node:http';
import type { Duplex } from 'node:stream';
import { socketIdleSeconds } from '@stem-studio/contract/limits';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Context } from '../../context.ts';
import { failure, forbidden, rateLimited, type ServiceError, unauthorized, unavailable } from '../errors.ts';
import { toServiceError } from '../http/error-reply.ts';
import { type RateState, takeRateLimit } from '../http/rate-limit.ts';
import type { Authenticator, Viewer } from '../http/viewer.ts';
import type { ChannelHandler } from './channel.ts';
import { closeTopic } from './close-sockets.ts';
import { closeCodes, SocketConnection } from './socket-connection.ts';

const socketPath = '/socket/websocket';
/** A message may not be larger. */
export const longestMessageBytes = 65_536;

/** The service's sockets. */
export interface SocketServer {
  /** Tells every client that the service goes away, and takes no new ones. */
  stop(): Promise<void>;
}

/** Where the sockets hang. */
export interface SocketServerOptions {
  readonly context: Context;
  readonly server: Server;
  readonly authenticator: Authenticator;
  readonly handlers: readonly ChannelHandler[];
  /** A socket that says nothing for so long is closed; the contract's 60 s unless given. */
  readonly idleSeconds?: number;
}

/** Serves Phoenix Channels V2 at `/socket/websocket`, to whoever logs in by cookie or `?token=`. */
export function startSocketServer(options: SocketServerOptions): SocketServer {
  const { context, server, authenticator, handlers } = options;
  const idleMs = (options.idleSeconds ?? socketIdleSeconds) * 1000;
  const connections = new Set<SocketConnection>();
  let isStopping = false;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: longestMessageBytes,
    perMessageDeflate: false,
  });

  const open = (socket: WebSocket, viewer: Viewer) => {
    const connection = new SocketConnection(context, socket, viewer, handlers);
    connections.add(connection);
    socket.on('close', () => connections.delete(connection));
  };
  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy());
    void admit(context, authenticator, request, () => isStopping).then((admission) => {
      if ('error' in admission) return refuse(stream, admission.error, admission.rate);
      const viewer = admission.viewer;
      sockets.handleUpgrade(request, stream, head, (socket) => open(socket, viewer));
    });
  };
  server.on('upgrade', onUpgrade);

  const unsubscribe = context.bus.subscribe(closeTopic, ({ payload }) => {
    for (const connection of connections) {
      const { id, login_session_id, api_key_id } = connection.viewer;
      const isMeant =
        payload['user_id'] === id ||
        (login_session_id !== null && payload['login_session_id'] === login_session_id) ||
        (api_key_id !== null && payload['api_key_id'] === api_key_id);
      if (isMeant) connection.close(closeCodes.normal, 'the login has ended');
    }
  });
  const forgetGap = context.bus.onGap(() => {
    for (const connection of connections) connection.rejoinAll();
  });
  const idleTimer = setInterval(
    () => {
      const before = context.clock.monotonicMs() - idleMs;
      for (const connection of connections)
        if (connection.lastHeardMs < before)
          connection.close(closeCodes.goingAway, 'nothing heard for too long');
    },
    Math.min(5000, idleMs / 4),
  ).unref();

  return {
    stop: async () => {
      isStopping = true;
      clearInterval(idleTimer);
      unsubscribe();
      forgetGap();
      for (const connection of connections) connection.close(closeCodes.goingAway, 'the service is stopping');
      const closed = new Promise<void>((resolve) => {
        sockets.close(() => resolve());
        for (const socket of sockets.clients) setTimeout(() => socket.terminate(), 1000).unref();
      });
      await closed;
      server.off('upgrade', onUpgrade);
    },
  };
}

type Admission =
  | { readonly viewer: Viewer }
  | { readonly error: ServiceError; readonly rate: RateState | null };

async function admit(
  context: Context,
  authenticator: Authenticator,
  request: IncomingMessage,
  isStopping: () => boolean,
): Promise<Admission> {
  let rate: RateState | null = null;
  try {
    if (isStopping()) throw unavailable('the service is stopping: try again in a moment');
    const url = new URL(request.url ?? '/', 'http://localhost');
    if (url.pathname !== socketPath) throw failure('NOT_FOUND', 'socket not found');
    const viewer = await authenticator.viewerOfSocket(request);
    const key = viewer ? `user:${viewer.id}` : `address:${request.socket.remoteAddress ?? ''}`;
    rate = await takeRateLimit(context, 'web', key);
    if (rate.isExceeded) throw rateLimited(rate.retryAfterSeconds);
    const version = url.searchParams.get('vsn') ?? '';
    if (!/^2\.0\.\d+$/.test(version))
      throw failure('BAD_REQUEST', `vsn must be 2.0.x (got ${JSON.stringify(version)})`);
    if (!viewer) throw unauthorized();
    if (viewer.via === 'cookie' && !isOwnOrigin(context, request))
      throw forbidden('a socket under the login cookie must come from our own pages');
    return { viewer };
  } catch (error) {
    const known = toServiceError(error, { maxUploadMb: context.config.maxUploadMb, bodyBytes: 0 });
    if (known.status >= 500) context.log.warn({ err: error }, 'a socket could not be opened');
    return { error: known, rate };
  }
}

/** Browsers send the page's origin with every socket, and cookies with it whatever that is. */
function isOwnOrigin(context: Context, request: IncomingMessage): boolean {
  const { origin } = request.headers;
  if (origin === undefined) return true;
  if (!URL.canParse(origin)) return false;
  const { publicUrl } = context.config;
  if (publicUrl !== null && new URL(publicUrl).origin === origin) return true;
  return new URL(origin).host === request.headers.host;
}

function refuse(stream: Duplex, error: ServiceError, rate: RateState | null): void {
  const body = JSON.stringify(error.toBody());
  const headers: Record<string, string | number> = {
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
    ...(error.retryAfterSeconds !== undefined && { 'retry-after': error.retryAfterSeconds }),
    ...(rate && {
      'x-ratelimit-limit': rate.limit,
      'x-ratelimit-remaining': rate.remaining,
      'x-ratelimit-reset': rate.resetsAt,
    }),
  };
  const lines = Object.entries(headers).map(([name, value]) => `${name}: ${value}`);
  stream.end(
    `HTTP/1.1 ${error.status} ${STATUS_CODES[error.status]}\r\n${lines.join('\r\n')}\r\n\r\n${body}`,
  );
}
