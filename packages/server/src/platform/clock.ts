declare module './context.ts' {
  interface Context {
    readonly clock: Clock;
  }
}

/** The one place that reads the time. */
export interface Clock {
  /** Wall-clock time, which may jump. */
  now(): Date;
  /** Milliseconds since some moment, never falling: for measuring how long something took. */
  monotonicMs(): number;
}

/** The machine's own clock. */
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
