import { createTurns, type TakeTurn } from './turns.ts';

/** Gives somebody one of their places when one is free; it goes back by what is answered. Rejects as {@link TakeTurn}. */
export type TakePlace = (signal: AbortSignal) => Promise<() => void>;

/** Gives each of many owners, told by number, so many places; whoever has none left waits, in the order in which they came. */
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
