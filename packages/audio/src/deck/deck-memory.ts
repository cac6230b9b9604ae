const MEGABYTE = 1024 * 1024;
/** Samples of one deck: 25 minutes of a stereo song in 16 bits, or three of eight stems. */
const DECK_MEGABYTES = 256;
/** Machines with at most this much memory, in GB, get half; browsers report 8 at most. */
const SMALL_GIGABYTES = 4;

/** Property that some browsers have and the types lack. */
type NavigatorWithMemory = Navigator & { deviceMemory?: number };

/** Returns the bytes of samples that a deck may keep on this machine: half as much on phones. */
export function deckMemoryBytes(): number {
  const { deviceMemory } = navigator as NavigatorWithMemory;
  const has = (query: string) => typeof matchMedia === 'function' && matchMedia(query).matches;
  const isTouchDevice = has('(pointer: coarse)') && !has('(any-pointer: fine)');
  const isSmall = deviceMemory === undefined ? isTouchDevice : deviceMemory <= SMALL_GIGABYTES;
  return (isSmall ? DECK_MEGABYTES / 2 : DECK_MEGABYTES) * MEGABYTE;
}
