import { fork } from 'node:child_process';
import { once } from 'node:events';
import { fileURLToPath } from 'node:url';
import { socketLimits } from '@stem-studio/contract/limits';
import { pause } from '@stem-studio/server/platform/clock';
import type { JoinAttackCounts, JoinAttackOrder } from './socket-joins-messages.ts';

const childFile = fileURLToPath(new URL('./socket-joins-child.ts', import.meta.url));

/** Address of the service, and two of its users. */
export interface SocketJoinTarget {
  /** Address, such as `http://127.0.0.1:4000`. */
  readonly address: string;
  /** API key of the attacking user. */
  readonly attackerToken: string;
  /** API key of the honest user, whose `GET /api/tracks` are timed. */
  readonly victimToken: string;
  /** Duration in seconds; 20 by default. */
  readonly seconds?: number;
  /** Number of the attacker's sockets; 100 by default. */
  readonly sockets?: number;
}

/** Response times in milliseconds, and the number of failed requests. */
export interface ReplyTimes {
  readonly p50: number;
  readonly p95: number;
  readonly max: number;
  readonly count: number;
  readonly failures: number;
}

/** Effect of the attack on other requests, and its counts. */
export interface SocketJoinFigures extends JoinAttackCounts {
  readonly tracks: ReplyTimes;
  readonly health: ReplyTimes;
}

/**
 * Attacks a service with joins and measures other requests. The sockets of one user join topics that do not exist, in
 * bursts of the most messages allowed per window. Meanwhile the track list of another user (once a second, within the
 * limit of an API key) and `/health` (ten times a second) are requested at fixed times.
 */
export async function attackBySocketJoins(target: SocketJoinTarget): Promise<SocketJoinFigures> {
  const { address, seconds = 20, sockets = 100 } = target;
  const child = fork(childFile);
  let counts: JoinAttackCounts = { opened: 0, refused: 0, closed: 0, joins: 0, replies: {} };
  child.on('message', (message) => {
    counts = message as JoinAttackCounts;
  });
  try {
    const order: JoinAttackOrder = {
      url: `${address.replace('http', 'ws')}/socket/websocket?vsn=2.0.0&token=${target.attackerToken}`,
      sockets,
      joinsAtOnce: socketLimits.messages,
      // Slightly longer than the window, so that no message counts in the previous one.
      everyMs: socketLimits.windowSeconds * 1050,
    };
    child.send(order);
    // The first report of the attacking process.
    await once(child, 'message');
    const headers = { authorization: `Bearer ${target.victimToken}` };
    const [tracks, health] = await Promise.all([
      poll(`${address}/api/tracks`, headers, 1000, seconds),
      poll(`${address}/health`, {}, 100, seconds),
    ]);
    return { ...counts, tracks, health };
  } finally {
    if (child.exitCode === null) {
      child.kill('SIGKILL');
      await once(child, 'exit');
    }
  }
}

/** Sends requests at fixed times, whether or not earlier ones have been answered. */
async function poll(
  url: string,
  headers: Record<string, string>,
  everyMs: number,
  seconds: number,
): Promise<ReplyTimes> {
  const times: number[] = [];
  let failures = 0;
  const ask = async () => {
    const startedMs = performance.now();
    const isGood = await fetch(url, { headers, signal: AbortSignal.timeout(60_000) }).then(
      async (reply) => {
        await reply.arrayBuffer();
        return reply.ok;
      },
      () => false,
    );
    times.push(performance.now() - startedMs);
    if (!isGood) failures += 1;
  };
  const asked: Promise<void>[] = [];
  for (let ms = 0; ms < seconds * 1000; ms += everyMs) {
    asked.push(ask());
    await pause(everyMs);
  }
  await Promise.all(asked);
  times.sort((a, b) => a - b);
  const at = (part: number) => times[Math.min(times.length - 1, Math.floor(times.length * part))] ?? 0;
  return { p50: at(0.5), p95: at(0.95), max: at(1), count: times.length, failures };
}
