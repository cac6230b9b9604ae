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

/** A clock that stands, so that what is counted in a minute stays in one; it jumps when it is told to. */
export function createStillClock(): TestClock {
  let nowMs = systemClock.now().getTime();
  return {
    now: () => new Date(nowMs),
    monotonicMs: () => systemClock.monotonicMs(),
    advance(seconds) {
      nowMs += seconds * 1000;
    },
  };
}
