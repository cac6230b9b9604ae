import { createSemaphore, type WithPermit } from './semaphore.ts';

/**
 * Acquires a permit of an owner's semaphore. Resolves with a function that releases it. Rejects like {@link WithPermit}.
 */
export type AcquirePermit = (signal: AbortSignal) => Promise<() => void>;

/** Creates semaphores with `permitsEach` permits for each owner id. Waiting callers are served in order of arrival. */
export function createKeyedSemaphore(permitsEach: number): (owner: number) => AcquirePermit {
  const known = new Map<number, { readonly withPermit: WithPermit; callers: number }>();
  return (owner) => async (signal) => {
    const entry = known.get(owner) ?? { withPermit: createSemaphore(permitsEach), callers: 0 };
    known.set(owner, entry);
    entry.callers += 1;
    const entered = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    entry
      .withPermit(signal, () => {
        entered.resolve();
        return left.promise;
      })
      .catch(entered.reject)
      .finally(() => {
        entry.callers -= 1;
        if (entry.callers === 0) known.delete(owner);
      });
    await entered.promise;
    return () => left.resolve();
  };
}
