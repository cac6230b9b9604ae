/** Runs `work` when it is its turn. Rejects with the signal's reason when that aborts while it waits. */
export type TakeTurn = <T>(signal: AbortSignal, work: () => Promise<T>) => Promise<T>;

/** Lets at most `places` things run at the same time; the others wait in the order in which they came. */
export function createTurns(places: number): TakeTurn {
  let free = places;
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
      // The place goes to whoever waits longest without becoming free in between.
      const next = waiting.shift();
      if (next) next();
      else free += 1;
    }
  };
}
