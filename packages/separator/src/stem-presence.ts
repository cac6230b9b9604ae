import type { StemType } from '@stem-studio/contract/resources/stem';

/**
 * For each stem that a song may lack, the log odds that it is present in one segment.
 *
 * A stem without an entry is present.
 */
export type StemPresence = Readonly<Partial<Record<StemType, number>>>;

/** Decides from all segments of a song which stems are absent. */
export interface StemPresenceDetector {
  /** Adds the estimate for one segment. */
  add(presence: StemPresence): void;
  /** Returns the stems that are absent from the whole song. */
  absent(): StemType[];
}

/** Fraction of the segments that decides: an instrument that plays in a quarter of the song is present. */
const decisiveFraction = 0.25;

/**
 * Creates a detector for one song.
 *
 * A stem is present if the mean log odds of its most likely quarter of segments is at least 0: an instrument may enter
 * late, and a single segment may be wrong.
 */
export function createStemPresenceDetector(): StemPresenceDetector {
  const estimates = new Map<StemType, number[]>();
  return {
    add(presence) {
      for (const [stem, logOdds] of Object.entries(presence) as [StemType, number][]) {
        estimates.set(stem, [...(estimates.get(stem) ?? []), logOdds]);
      }
    },
    absent() {
      return [...estimates].filter(([, odds]) => presenceOf(odds) < 0).map(([stem]) => stem);
    },
  };
}

function presenceOf(odds: readonly number[]): number {
  const count = Math.ceil(decisiveFraction * odds.length);
  const likeliest = [...odds].sort((a, b) => b - a).slice(0, count);
  return likeliest.reduce((sum, value) => sum + value / count, 0);
}
