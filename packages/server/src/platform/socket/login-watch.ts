import type { IncomingMessage } from 'node:http';
import { closeCodes } from '@stem-studio/contract/frame';
import type { Context } from '../context.ts';
import type { Authenticator, Viewer } from '../http/viewer.ts';
import type { SocketConnection } from './socket-connection.ts';

/** Monitors the login of an open socket. */
export interface LoginWatch {
  /** Authenticates again, and closes the socket if the login is no longer valid or has changed. */
  readonly recheck: () => void;
  readonly stop: () => void;
}

/**
 * Maximum delay of a timer, in ms. Timers are limited to 2^31 ms, so later expiries are checked again after this time.
 */
const furthestTimerMs = 86_400_000;

/**
 * Closes a socket when its login expires, unless the login was renewed meanwhile. The login is looked up by the cookie
 * or token of `request`, which opened the socket.
 */
export function watchLogin(
  context: Context,
  authenticator: Authenticator,
  request: IncomingMessage,
  connection: SocketConnection,
): LoginWatch {
  let timer: NodeJS.Timeout | undefined;
  let isStopped = false;

  const wait = (expiresAt: Date | null) => {
    clearTimeout(timer);
    if (expiresAt === null || isStopped) return;
    const leftMs = expiresAt.getTime() - context.clock.now().getTime();
    // Plus 1 ms: a timer may fire early and would find a login that is still valid.
    timer = setTimeout(recheck, Math.min(furthestTimerMs, Math.max(0, leftMs) + 1)).unref();
  };
  const look = async () => {
    let viewer: Viewer | null;
    try {
      viewer = await authenticator.viewerOfSocket(request);
    } catch {
      // The client may reconnect and try again.
      return connection.close(closeCodes.goingAway, 'the login could not be looked up');
    }
    const nowMs = context.clock.now().getTime();
    if (!viewer || (viewer.expires_at?.getTime() ?? Number.POSITIVE_INFINITY) <= nowMs)
      return connection.close(closeCodes.loginEnded, 'the login has ended');
    // The topics were joined with the permissions of another user or role.
    if (viewer.id !== connection.viewer.id || viewer.role !== connection.viewer.role)
      return connection.close(closeCodes.goingAway, 'the login has changed');
    wait(viewer.expires_at);
  };
  const recheck = () => void look();
  wait(connection.viewer.expires_at);
  return {
    recheck,
    stop: () => {
      isStopped = true;
      clearTimeout(timer);
    },
  };
}
