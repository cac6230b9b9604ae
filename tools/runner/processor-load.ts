import os from 'node:os';

/** Times of all processors together since the machine started, in ms. */
export interface ProcessorTimes {
  readonly idle: number;
  readonly all: number;
}

/** Length of the time over which the load is measured, in ms. */
const windowMs = 1000;
/** Time that a started task has until it shows in the load, in ms. */
const settleMs = 1500;
/** Idle share of the processors that is worth another task. */
const leastIdleShare = 0.2;
/** Memory that another task may need, in bytes. */
const taskBytes = 2 ** 30;

function readProcessorTimes(): ProcessorTimes {
  let [idle, all] = [0, 0];
  for (const { times } of os.cpus()) {
    idle += times.idle;
    all += times.user + times.nice + times.sys + times.irq + times.idle;
  }
  return { idle, all };
}

/**
 * Returns a function that tells whether the machine has capacity for another task: over the last second at least a fifth of
 * its processors was idle, and a gibibyte of memory is available. After it has returned true it returns false for 1.5 s.
 *
 * @param readTimes times of the processors, for tests
 * @param now clock in ms, for tests
 */
export function createCapacityMeter(
  readTimes: () => ProcessorTimes = readProcessorTimes,
  now: () => number = () => performance.now(),
): () => boolean {
  let samples = [{ ...readTimes(), atMs: now() }];
  let lastTrueMs = Number.NEGATIVE_INFINITY;
  return () => {
    const last = { ...readTimes(), atMs: now() };
    // The newest sample that is old enough, and all after it.
    const start = samples.findLastIndex(({ atMs }) => last.atMs - atMs >= windowMs);
    samples = [...samples.slice(Math.max(start, 0)), last];
    const [first = last] = samples;
    const all = last.all - first.all;
    const hasMeasured = start !== -1 && all > 0;
    const isIdle = hasMeasured && (last.idle - first.idle) / all >= leastIdleShare;
    if (!isIdle || last.atMs - lastTrueMs < settleMs || process.availableMemory() < taskBytes) return false;
    lastTrueMs = last.atMs;
    return true;
  };
}
