import { inspect } from 'node:util';
import { pause, systemClock } from '../platform/clock.ts';

/** Longer than anything takes that comes at all, on the slowest machine: a test that waits so long says for what. */
const longestWaitMs = 120_000;

/**
 * Reads something again and again until it is as wanted, and answers it. Throws what was read last when that never comes:
 * for what a service does a moment after it has answered.
 */
export async function eventually<T>(read: () => T | Promise<T>, isWanted: (value: T) => boolean): Promise<T> {
  const until = systemClock.monotonicMs() + longestWaitMs;
  for (;;) {
    const value = await read();
    if (isWanted(value)) return value;
    if (systemClock.monotonicMs() > until) {
      const found = inspect(value, { depth: 6 });
      throw new Error(`this did not come in ${longestWaitMs / 1000} s: ${String(isWanted)}; found ${found}`);
    }
    await pause(5);
  }
}
