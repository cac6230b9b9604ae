import { inspect } from 'node:util';
import { pause, systemClock } from '../platform/clock.ts';

/**
 * Longest wait in ms, longer than any expected event takes on the slowest machine. Then the test fails with the
 * condition.
 */
const longestWaitMs = 120_000;

/**
 * Reads a value repeatedly until it satisfies a condition, and returns it. For effects of a service that follow its
 * reply.
 *
 * @throws Error with the last value if the condition is not met in time
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
