import { type Clock, systemClock } from '../platform/clock.ts';

/** The machine's clock, put forward by hand. */
export interface TestClock extends Clock {
  advance(seconds: number): void;
}

/** A clock that goes as the machine's does, and jumps when it is told to. */
export function createTestClock(): TestClock {
  let aheadMs = 0;
  return {
    now: () => new Date(systemClock.now().getTime() + aheadMs),
    monotonicMs: () => systemClock.monotonicMs() + aheadMs,
    advance(seconds) {
      aheadMs += seconds * 1000;
    },
  };
}
