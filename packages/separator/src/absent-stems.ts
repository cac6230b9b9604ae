import type { StemType } from '@stem-studio/contract/resources/stem';

/**
 * Of stems that may be absent from a whole song, the logarithm of the odds that they are in a segment. A stem that is not
 * named is there.
 */
export type StemPresence = Readonly<Partial<Record<StemType, number>>>;

/** Hears all segments of a song, and then says which stems are not in it. */
export interface StemListener {
  /** Takes in what was heard in a segment. */
  hear(presence: StemPresence): void;
  /** The stems that are not in the song, of those that may be absent from one. */
  absent(): StemType[];
}

/** An instrument that plays in a quarter of the song is in it. */
const loudestPart = 0.25;

/**
 * Decides for a whole song whether a stem is in it: by the quarter of the segments in which it is most likely, since an
 * instrument may wait, and one segment alone may err.
 */
export function listenForStems(): StemListener {
  const heard = new Map<StemType, number[]>();
  return {
    hear(presence) {
      for (const [stem, logOdds] of Object.entries(presence) as [StemType, number][]) {
        heard.set(stem, [...(heard.get(stem) ?? []), logOdds]);
      }
    },
    absent() {
      return [...heard].filter(([, odds]) => likelihoodOf(odds) < 0).map(([stem]) => stem);
    },
  };
}

function likelihoodOf(odds: readonly number[]): number {
  const count = Math.ceil(loudestPart * odds.length);
  const likeliest = [...odds].sort((a, b) => b - a).slice(0, count);
  return likeliest.reduce((sum, value) => sum + value / count, 0);
}
