import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeCodes } from '@stem-studio/contract/frame';
import { socketLimits } from '@stem-studio/contract/limits';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Context } from '../../context.ts';
import { unavailable } from '../errors.ts';
import { replyRaw } from '../http/raw-reply.ts';
import type { Authenticator, Viewer } from '../http/viewer.ts';
import type { ChannelHandler } from './channel.ts';
import { closeTopic } from './close-sockets.ts';
import { watchLogin } from './login-watch.ts';
import { createDoorkeeper, type SocketPath } from './socket-admission.ts';
import { SocketConnection } from './socket-connection.ts';

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
  /** Bounds in place of the contract's. */
  readonly limits?: { readonly idleSeconds?: number; readonly perUser?: number };
}

/** An open socket. */
interface Open {
  readonly connection: SocketConnection;
  /** Looks up whether the login behind it still holds, and closes it if not. */
  readonly recheck: () => void;
}

/**
 * Serves Phoenix Channels V2 at `/socket/websocket`, to whoever logs in by cookie or token, and at `/live/websocket`,
 * to our own pages.
 *
 * @see docs/decisions/0090-sockets.md
 */
export function startSocketServer(options: SocketServerOptions): SocketServer {
  const { context, server, authenticator, handlers } = options;
  const { idleSeconds, perUser } = { ...socketLimits, ...options.limits };
  const idleMs = idleSeconds * 1000;
  const doorkeeper = createDoorkeeper(context, authenticator);
  const opened = new Set<Open>();
  /** How often a login may have ended, as far as we have heard. */
  let endings = 0;
  let isStopping = false;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: socketLimits.messageBytes,
    // Messages are small, and a compressor for each socket is not.
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has('phoenix') ? 'phoenix' : false),
  });

  const open = (socket: WebSocket, request: IncomingMessage, viewer: Viewer, path: SocketPath): Open => {
    const own = handlers.filter(({ spec }) => spec.socket === path);
    const connection = new SocketConnection(context, socket, viewer, own);
    const login = watchLogin(context, authenticator, request, connection);
    const one: Open = { connection, recheck: login.recheck };
    opened.add(one);
    socket.on('close', () => {
      opened.delete(one);
      login.stop();
    });
    return one;
  };
  const countOf = (viewer: Viewer) =>
    [...opened].filter(({ connection }) => connection.viewer.id === viewer.id).length;

  const upgrade = async (request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> => {
    const endingsBefore = endings;
    const admission = await doorkeeper.admit(request);
    if ('error' in admission) return replyRaw(stream, admission.error, admission.rate);
    const { viewer, path } = admission;
    if (isStopping || countOf(viewer) >= perUser) {
      const { error, rate } = await doorkeeper.tooMany(request, viewer);
      const stopping = unavailable('the service is stopping: try again in a moment');
      return replyRaw(stream, isStopping ? stopping : error, rate);
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const one = open(socket, request, viewer, path);
      // It may be this login that ended after it was looked up and before anybody could close its socket.
      if (endings !== endingsBefore) one.recheck();
    });
  };
  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy());
    upgrade(request, stream, head).catch((error: unknown) => {
      context.log.error({ err: error }, 'a socket could not be opened');
      stream.destroy();
    });
  };
  server.on('upgrade', onUpgrade);
  // An upgrade that is none, such as one without a key.
  sockets.on('wsClientError', (problem, stream, request) => {
    void doorkeeper.refuse(request, problem.message).then(({ error, rate }) => replyRaw(stream, error, rate));
  });

  const unsubscribe = context.bus.subscribe(closeTopic, ({ payload }) => {
    endings += 1;
    for (const { connection } of opened) {
      const { id, login_session_id, api_key_id } = connection.viewer;
      const isMeant =
        payload['user_id'] === id ||
        (login_session_id !== null && payload['login_session_id'] === login_session_id) ||
        (api_key_id !== null && payload['api_key_id'] === api_key_id);
      if (isMeant) connection.close(closeCodes.loginEnded, 'the login has ended');
    }
  });
  const forgetGap = context.bus.onGap(() => {
    endings += 1;
    for (const { connection, recheck } of opened) {
      connection.rejoinAll();
      recheck();
    }
  });
  const idleTimer = setInterval(
    () => {
      const before = context.clock.monotonicMs() - idleMs;
      for (const { connection } of opened)
        if (connection.lastHeardMs < before)
          connection.close(closeCodes.goingAway, `nothing heard for ${idleSeconds} s`);
    },
    Math.min(5000, idleMs / 4),
  ).unref();

  return {
    stop: async () => {
      isStopping = true;
      clearInterval(idleTimer);
      unsubscribe();
      forgetGap();
      for (const { connection } of opened) connection.close(closeCodes.goingAway, 'the service is stopping');
      const closed = new Promise<void>((resolve) => {
        sockets.close(() => resolve());
        for (const socket of sockets.clients) setTimeout(() => socket.terminate(), 1000).unref();
      });
      await closed;
      server.off('upgrade', onUpgrade);
    },
  };
}
