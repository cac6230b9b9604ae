/** Pseudo-random choices that are reproducible by a seed. */
export interface SeededRandom {
  /** Returns a number from 0 to below 1. */
  next(): number;
  /** Returns an integer from `min` to `max`, both included. */
  int(min: number, max: number): number;
  /** Returns one item of a list. Throws for an empty list. */
  pick<T>(list: readonly T[]): T;
}

/**
 * Creates a 32-bit generator (mulberry32): the same seed gives the same choices.
 *
 * @param seed integer
 */
export function createSeededRandom(seed: number): SeededRandom {
  let state = seed >>> 0;
  const next = () => {
    state = (state + 0x6d2b79f5) >>> 0;
    let mixed = Math.imul(state ^ (state >>> 15), state | 1);
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61);
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const int = (min: number, max: number) => min + Math.floor(next() * (max - min + 1));
  return {
    next,
    int,
    pick(list) {
      const picked = list[int(0, list.length - 1)];
      if (picked === undefined) throw new Error('nothing can be picked from an empty list');
      return picked;
    },
  };
}
