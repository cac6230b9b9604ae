/**
 * Runs `work` when the semaphore has a free permit. Rejects with the signal's reason when that aborts while waiting.
 */
export type WithPermit = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** Creates a semaphore that runs at most `permits` tasks at the same time. The others wait in order of arrival. */
export function createSemaphore(permits: number): WithPermit {
  let free = permits;
  const waiting: (() => void)[] = [];

  const arrive = (signal: AbortSignal) =>
    new Promise<void>((resolve, reject) => {
      const enter = () => {
        signal.removeEventListener('abort', leave);
        resolve();
      };
      const leave = () => {
        waiting.splice(waiting.indexOf(enter), 1);
        reject(signal.reason);
      };
      waiting.push(enter);
      signal.addEventListener('abort', leave, { once: true });
    });

  return async (signal, work) => {
    signal.throwIfAborted();
    if (free > 0) free -= 1;
    else await arrive(signal);
    try {
      return await work();
    } finally {
      // The permit is passed directly to the longest-waiting task.
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
