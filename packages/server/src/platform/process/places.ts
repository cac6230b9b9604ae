import { createTurns, type TakeTurn } from './turns.ts';

/**
 * Acquires a permit of an owner's semaphore. Resolves with a function that releases it. Rejects like {@link TakeTurn}.
 */
export type TakePlace = (signal: AbortSignal) => Promise<() => void>;

/** Creates semaphores with `placesEach` permits for each owner id. Waiting callers are served in order of arrival. */
export function createPlaces(placesEach: number): (owner: number) => TakePlace {
  const known = new Map<number, { readonly takeTurn: TakeTurn; guests: number }>();
  return (owner) => async (signal) => {
    const house = known.get(owner) ?? { takeTurn: createTurns(placesEach), guests: 0 };
    known.set(owner, house);
    house.guests += 1;
    const entered = Promise.withResolvers<void>();
    const left = Promise.withResolvers<void>();
    house
      .takeTurn(signal, () => {
        entered.resolve();
        return left.promise;
      })
      .catch(entered.reject)
      .finally(() => {
        house.guests -= 1;
        if (house.guests === 0) known.delete(owner);
      });
    await entered.promise;
    return () => left.resolve();
  };
}
