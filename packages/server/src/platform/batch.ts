import { runForAll } from './db/connection-shares.ts';

interface Waiting<K, V> {
  readonly key: K;
  readonly resolve: (value: V) => void;
  readonly reject: (error: unknown) => void;
}

/**
 * Creates a function that combines concurrent lookups into batches. A lookup is never served by a batch that started
 * before it: while one batch runs, the next one is collected. A single lookup runs without delay.
 *
 * @param ask looks up a batch and returns one value per key, in their order; an error rejects the whole batch
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
      // Deferred to a microtask, so that all lookups of the current task join the batch.
      if (!isAsking) {
        isAsking = true;
        queueMicrotask(() => void runForAll(askAll));
      }
    });
}
