import { type Clock, systemClock } from '../platform/clock.ts';

/** The system clock with a manual offset. */
export interface TestClock extends Clock {
  advance(seconds: number): void;
}

/** Creates a clock that runs as the system clock does and can be advanced. */
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

/** Creates a stopped clock, so that all requests count within the same minute; it can be advanced. */
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
