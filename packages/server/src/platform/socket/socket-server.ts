import type { IncomingMessage, Server } from 'node:http';
import type { Duplex } from 'node:stream';
import { closeCodes } from '@stem-studio/contract/frame';
import { socketLimits } from '@stem-studio/contract/limits';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Context } from '../context.ts';
import { runAs } from '../db/connection-shares.ts';
import { rateLimited, type ServiceError, unavailable } from '../errors.ts';
import type { RateState } from '../http/rate-limit.ts';
import { replyRaw } from '../http/raw-reply.ts';
import type { Authenticator, Viewer } from '../http/viewer.ts';
import type { ChannelHandler } from './channel.ts';
import { closeTopic } from './close-sockets.ts';
import { watchLogin } from './login-watch.ts';
import { createDoorkeeper, type SocketPath } from './socket-admission.ts';
import { createSocketAllowances, type UserAllowance } from './socket-allowances.ts';
import { SocketConnection } from './socket-connection.ts';

/** WebSocket server of the service. */
export interface SocketServer {
  /** Closes all sockets because the service stops, and rejects new ones. */
  stop(): Promise<void>;
}

/** Options of {@link startSocketServer}. */
export interface SocketServerOptions {
  readonly context: Context;
  readonly server: Server;
  readonly authenticator: Authenticator;
  readonly handlers: readonly ChannelHandler[];
  /** Limits that replace those of the contract. */
  readonly limits?: { readonly idleSeconds?: number; readonly perUser?: number };
}

/** Open socket. */
interface Open {
  readonly connection: SocketConnection;
  /** Authenticates again, and closes the socket if its login is no longer valid. */
  readonly recheck: () => void;
}

/**
 * Serves the WebSockets of the service with Phoenix Channels V2. `/socket/websocket` is for clients with a cookie or
 * token, `/live/websocket` for the service's own pages.
 *
 * @see docs/decisions/0090-sockets.md
 */
export function startSocketServer(options: SocketServerOptions): SocketServer {
  const { context, server, authenticator, handlers } = options;
  const { idleSeconds, perUser } = { ...socketLimits, ...options.limits };
  const idleMs = idleSeconds * 1000;
  const doorkeeper = createDoorkeeper(context, authenticator);
  const allowances = createSocketAllowances(context, perUser);
  const opened = new Set<Open>();
  /** Number of events after which a login may have ended. */
  let endings = 0;
  let isStopping = false;
  const sockets = new WebSocketServer({
    noServer: true,
    maxPayload: socketLimits.messageBytes,
    // Messages are small, and a compressor per socket needs much memory.
    perMessageDeflate: false,
    handleProtocols: (offered) => (offered.has('phoenix') ? 'phoenix' : false),
  });

  const open = (
    socket: WebSocket,
    request: IncomingMessage,
    { viewer, path }: { readonly viewer: Viewer; readonly path: SocketPath },
    allowance: UserAllowance,
  ): Open => {
    const own = handlers.filter(({ spec }) => spec.socket === path);
    const connection = new SocketConnection({ context, socket, viewer, handlers: own, allowance });
    const login = watchLogin(context, authenticator, request, connection);
    const one: Open = { connection, recheck: login.recheck };
    opened.add(one);
    allowance.opened();
    socket.on('close', () => {
      opened.delete(one);
      allowance.closed();
      login.stop();
    });
    return one;
  };

  /** Accepts or rejects a socket. Returns whether a user was found, whose own limit applies. */
  const upgrade = async (request: IncomingMessage, stream: Duplex, head: Buffer): Promise<boolean> => {
    const endingsBefore = endings;
    const admission = await doorkeeper.admit(request);
    if ('error' in admission) {
      replyRaw(stream, admission.error, admission.rate);
      return false;
    }
    const { viewer, rate } = admission;
    const allowance = allowances.ofUser(viewer.id, doorkeeper.networkOf(request));
    const reason = isStopping ? '' : allowance.takeUpgrade();
    if (reason !== null) {
      const stopping = unavailable('the service is stopping: try again in a moment');
      replyRaw(stream, isStopping ? stopping : doorkeeper.tooMany(reason), rate);
      return true;
    }
    sockets.handleUpgrade(request, stream, head, (socket) => {
      const one = open(socket, request, admission, allowance);
      // The login may have ended between its lookup and the registration of the socket.
      if (endings !== endingsBefore) one.recheck();
    });
    return true;
  };
  /** Rejects an address above its rate limit before any lookup. */
  const upgradeWithin = async (request: IncomingMessage, stream: Duplex, head: Buffer): Promise<void> => {
    const begun = allowances.beginUpgrade(doorkeeper.networkOf(request));
    if ('retryAfterSeconds' in begun) return replyRaw(stream, ...refusalOf(context, begun.retryAfterSeconds));
    let isKnown = false;
    try {
      isKnown = await runAs({ use: 'socket', key: null, held: 0 }, () => upgrade(request, stream, head));
    } finally {
      begun.end(isKnown);
    }
  };
  const onUpgrade = (request: IncomingMessage, stream: Duplex, head: Buffer) => {
    stream.on('error', () => stream.destroy());
    upgradeWithin(request, stream, head).catch((error: unknown) => {
      context.log.error({ err: error }, 'a socket could not be opened');
      stream.destroy();
    });
  };
  server.on('upgrade', onUpgrade);
  // An invalid upgrade, such as one without a key.
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
      allowances.tidy();
      const before = context.clock.monotonicMs() - idleMs;
      for (const { connection } of opened)
        if (connection.lastReceivedMs < before)
          connection.close(closeCodes.goingAway, `no message received for ${idleSeconds} s`);
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

/** Returns error and rate state for an address with too many unsuccessful upgrade requests. */
function refusalOf(context: Context, retryAfterSeconds: number): [ServiceError, RateState] {
  const nowSeconds = Math.ceil(context.clock.now().getTime() / 1000);
  return [
    rateLimited(retryAfterSeconds),
    {
      limit: socketLimits.rates.address.upgrades.burst,
      remaining: 0,
      resetsAt: nowSeconds + retryAfterSeconds,
      retryAfterSeconds,
      isExceeded: true,
      isCounted: true,
    },
  ];
}
