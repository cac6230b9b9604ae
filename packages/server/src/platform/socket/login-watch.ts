import type { IncomingMessage } from 'node:http';
import { closeCodes } from '@stem-studio/contract/frame';
import type { Context } from '../context.ts';
import type { Authenticator, Viewer } from '../http/viewer.ts';
import type { SocketConnection } from './socket-connection.ts';

/** Watches over the login behind an open socket. */
export interface LoginWatch {
  /** Looks the login up again, and closes the socket if it holds no longer or is another's. */
  readonly recheck: () => void;
  readonly stop: () => void;
}

/** A timer reaches no further than 2^31 ms: what is later is looked at again after this long. */
const furthestTimerMs = 86_400_000;

/**
 * Closes a socket at the moment when its login runs out, unless that was renewed meanwhile. `request` is what opened
 * it: by its cookie or token the login is looked up.
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
    // One more: a timer may come a moment early, and would find a login that still holds.
    timer = setTimeout(recheck, Math.min(furthestTimerMs, Math.max(0, leftMs) + 1)).unref();
  };
  const look = async () => {
    let viewer: Viewer | null;
    try {
      viewer = await authenticator.viewerOfSocket(request);
    } catch {
      // Who cannot be looked up may come back and try.
      return connection.close(closeCodes.goingAway, 'the login could not be looked up');
    }
    const nowMs = context.clock.now().getTime();
    if (!viewer || (viewer.expires_at?.getTime() ?? Number.POSITIVE_INFINITY) <= nowMs)
      return connection.close(closeCodes.loginEnded, 'the login has ended');
    // What it joined was allowed to another role.
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
