/** A stream of numbers in [0, 1) that depends only on its seed. */
export type Random = () => number;

/**
 * Creates a seeded stream of pseudo-random numbers in [0, 1): the same seed gives the same stream on every machine.
 *
 * Integer arithmetic only (mulberry32: a Weyl sequence through a 32-bit mixer, period 2^32).
 *
 * @param seed any integer; only its low 32 bits count
 * @see Steele, Lea, Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014
 */
export function createRandom(seed: number): Random {
  let state = seed | 0;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4_294_967_296;
  };
}

/**
 * Derives a seed from strings and numbers.
 *
 * Each note of each part gets its own stream, so that adding a note elsewhere changes nothing here.
 *
 * @see FNV-1a, Fowler, Noll, Vo
 */
export function seedOf(...parts: readonly (string | number)[]): number {
  let hash = 0x811c9dc5;
  for (const letter of parts.join('/')) {
    hash = Math.imul(hash ^ letter.charCodeAt(0), 0x01000193);
  }
  return hash >>> 0;
}
