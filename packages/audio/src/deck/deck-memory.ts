const MEGABYTE = 1024 * 1024;
/** Samples of one deck: twenty-five minutes of a stereo song in 16 bits, or three of eight stems. */
const DECK_MEGABYTES = 256;
/** Machines with no more memory than this, in gigabytes, get half; browsers tell 8 at most. */
const SMALL_GIGABYTES = 4;

/** What some browsers tell and the types do not know. */
type NavigatorWithMemory = Navigator & { deviceMemory?: number };

/** Bytes of samples that a deck may keep on this machine: half as much on phones. */
export function deckMemoryBytes(): number {
  const { deviceMemory } = navigator as NavigatorWithMemory;
  const has = (query: string) => typeof matchMedia === 'function' && matchMedia(query).matches;
  const isTouchDevice = has('(pointer: coarse)') && !has('(any-pointer: fine)');
  const isSmall = deviceMemory === undefined ? isTouchDevice : deviceMemory <= SMALL_GIGABYTES;
  return (isSmall ? DECK_MEGABYTES / 2 : DECK_MEGABYTES) * MEGABYTE;
}
