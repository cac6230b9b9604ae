import { runForAll } from './db/connection-shares.ts';

interface Waiting<K, V> {
  readonly key: K;
  readonly resolve: (value: V) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Answers questions that come at the same time together. A question is never answered by what was asked before it came:
 * while one batch is under way, the next one gathers. Who asks alone waits for nobody.
 *
 * @param ask answers a batch: one value for each key, in their order. What it throws is thrown at all of them.
 */
export function createBatch<K, V>(
  ask: (keys: readonly K[]) => Promise<readonly V[]>,
  longest = 200,
): (key: K) => Promise<V> {
  let waiting: Waiting<K, V>[] = [];
  let isAsking = false;

  const askAll = async () => {
    isAsking = true;
    while (waiting.length > 0) {
      const batch = waiting.slice(0, longest);
      waiting = waiting.slice(longest);
      try {
        const values = await ask(batch.map(({ key }) => key));
        for (const [i, { resolve }] of batch.entries()) resolve(values[i] as V);
      } catch (error) {
        for (const { reject } of batch) reject(error);
      }
    }
    isAsking = false;
  };
  return (key) =>
    new Promise<V>((resolve, reject) => {
      waiting.push({ key, resolve, reject });
      // After everything that this turn of the event loop brings.
      if (!isAsking) {
        isAsking = true;
        queueMicrotask(() => void runForAll(askAll));
      }
    });
}
