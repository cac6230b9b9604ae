declare module './context.ts' {
  interface Context {
    readonly clock: Clock;
  }
}

/** Source of the current time; no other code reads it. */
export interface Clock {
  /** Returns the wall-clock time, which may jump. */
  now(): Date;
  /** Returns a monotonic time in milliseconds, for measuring durations. */
  monotonicMs(): number;
}

/** Clock of the machine. */
export const systemClock: Clock = {
  now: () => new Date(),
  monotonicMs: () => performance.now(),
};

/** Resolves after `ms` milliseconds, at once when `signal` aborts. Never rejects and never keeps the process alive. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve) => {
    if (signal?.aborted) return resolve();
    const finish = () => {
      clearTimeout(timer);
      signal?.removeEventListener('abort', finish);
      resolve();
    };
    const timer = setTimeout(finish, ms);
    signal?.addEventListener('abort', finish, { once: true });
  });
}
