import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { socketIdleSeconds } from '@stem-studio/contract/limits';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Context } from '../../context.ts';
import {
  badRequest,
  failure,
  forbidden,
  rateLimited,
  type ServiceError,
  unauthorized,
  unavailable,
} from '../errors.ts';
import { toServiceError } from '../http/error-reply.ts';
import { type RateState, takeRateLimit } from '../http/rate-limit.ts';
import { replyRaw } from '../http/raw-reply.ts';
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
  /** Each with the request that opened it, by which its login can be looked up again. */
  const connections = new Map<SocketConnection, IncomingMessage>();
  /** How often a login may have ended, as far as we have heard. */
  let endings = 0;
  let isStopping = false;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: longestMessageBytes,
    perMessageDeflate: false,
  });

  // Closes a socket of which the login has ended while nobody told us. Who cannot be looked up may come back and try.
  const recheck = async (connection: SocketConnection, request: IncomingMessage) => {
    try {
      if (await authenticator.viewerOfSocket(request)) return;
      connection.close(closeCodes.normal, 'the login has ended');
    } catch {
      connection.close(closeCodes.goingAway, 'the login could not be looked up');
    }
  };
  const open = (socket: WebSocket, viewer: Viewer, request: IncomingMessage) => {
    const connection = new SocketConnection(context, socket, viewer, handlers);
    connections.set(connection, request);
    socket.on('close', () => connections.delete(connection));
    return connection;
  };
  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy());
    const endingsBefore = endings;
    void admit(context, authenticator, request, () => isStopping).then((admission) => {
      if ('error' in admission) return replyRaw(stream, admission.error, admission.rate);
      sockets.handleUpgrade(request, stream, head, (socket) => {
        const connection = open(socket, admission.viewer, request);
        // It may be this login that ended after it was looked up and before anybody could close its socket.
        if (endings !== endingsBefore) void recheck(connection, request);
      });
    });
  };
  server.on('upgrade', onUpgrade);
  // An upgrade that is none, such as one without a key.
  const onNoUpgrade = async (error: Error, stream: Duplex, request: IncomingMessage) => {
    const rate = await takeRateLimit(context, 'web', addressKey(request));
    replyRaw(stream, badRequest(`the socket cannot be opened (${error.message})`), rate);
  };
  sockets.on('wsClientError', (...what) => void onNoUpgrade(...what));

  const unsubscribe = context.bus.subscribe(closeTopic, ({ payload }) => {
    endings += 1;
    for (const connection of connections.keys()) {
      const { id, login_session_id, api_key_id } = connection.viewer;
      const isMeant =
        payload['user_id'] === id ||
        (login_session_id !== null && payload['login_session_id'] === login_session_id) ||
        (api_key_id !== null && payload['api_key_id'] === api_key_id);
      if (isMeant) connection.close(closeCodes.normal, 'the login has ended');
    }
  });
  const forgetGap = context.bus.onGap(() => {
    endings += 1;
    for (const [connection, request] of connections) {
      connection.rejoinAll();
      void recheck(connection, request);
    }
  });
  const idleTimer = setInterval(
    () => {
      const before = context.clock.monotonicMs() - idleMs;
      for (const connection of connections.keys())
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
      for (const connection of connections.keys())
        connection.close(closeCodes.goingAway, 'the service is stopping');
      const closed = new Promise<void>((resolve) => {
        sockets.close(() => resolve());
        for (const socket of sockets.clients) setTimeout(() => socket.terminate(), 1000).unref();
      });
      await closed;
      server.off('upgrade', onUpgrade);
    },
  };
}

type Admission = { readonly viewer: Viewer } | { readonly error: ServiceError; readonly rate: RateState };

function addressKey(request: IncomingMessage): string {
  return `address:${request.socket.remoteAddress ?? ''}`;
}

/** The address that is asked for; null where it is none, or not the sockets'. */
function socketUrl(request: IncomingMessage): URL | null {
  const address = `http://localhost${request.url ?? '/'}`;
  const url = URL.canParse(address) ? new URL(address) : null;
  return url?.pathname === socketPath ? url : null;
}

async function admit(
  context: Context,
  authenticator: Authenticator,
  request: IncomingMessage,
  isStopping: () => boolean,
): Promise<Admission> {
  const url = socketUrl(request);
  let viewer: Viewer | null = null;
  let trouble: unknown;
  try {
    viewer = url && (await authenticator.viewerOfSocket(request));
  } catch (error) {
    trouble = error;
  }
  const rate = await takeRateLimit(context, 'web', viewer ? `user:${viewer.id}` : addressKey(request));
  try {
    if (isStopping()) throw unavailable('the service is stopping: try again in a moment');
    if (trouble !== undefined) throw trouble;
    if (rate.isExceeded) throw rateLimited(rate.retryAfterSeconds);
    if (!url) throw failure('NOT_FOUND', 'socket not found');
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
