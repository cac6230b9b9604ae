const MEGABYTE = 1024 * 1024;
/**
 * Window of samples of one deck: 25 minutes of a stereo song in 16 bits, or four of six stems. Longer songs load as
 * they play.
 */
const DECK_MEGABYTES = 256;
/** Machines with at most this much memory, in GB, get half; browsers report 8 at most. */
const SMALL_GIGABYTES = 4;

/** Property that some browsers have and the types lack. */
type NavigatorWithMemory = Navigator & { deviceMemory?: number };

/**
 * Returns the bytes of samples that a deck keeps on this machine, around the playhead and at the positions that it may
 * jump to; half as much on phones. While stems replace a song, both have their own window for a few seconds.
 */
export function deckMemoryBytes(): number {
  const { deviceMemory } = navigator as NavigatorWithMemory;
  const has = (query: string) => typeof matchMedia === 'function' && matchMedia(query).matches;
  const isTouchDevice = has('(pointer: coarse)') && !has('(any-pointer: fine)');
  const isSmall = deviceMemory === undefined ? isTouchDevice : deviceMemory <= SMALL_GIGABYTES;
  return (isSmall ? DECK_MEGABYTES / 2 : DECK_MEGABYTES) * MEGABYTE;
}
