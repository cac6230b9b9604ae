import type { BarSimilarity } from './bar-similarity.ts';

/** Largest length of a section, and largest distance of compared bars, in bars. */
const LONGEST_BARS = 36;
/** Largest distance of pairs that count within a section, in bars. */
export const PAIR_REACH = 8;
/** Cost of a section in pairs of bars, and additional cost of an unusual length. */
const SECTION_COST = 0.6;
const LENGTH_COST = 2;
/** Factor of the mean similarity that a pair must exceed, and cost of each bar beyond sixteen. */
const LEAST_LIKENESS = 1.3;
/**
 * First quintile of the similarity above which a track has one section: 0.3 in music, 0.41 and more in noise and tones.
 */
const SAME = 0.4;
/**
 * Lower first quintile that suffices if the similarity hardly varies, and its standard deviation: in applause and sirens
 * all bars are equally similar, in songs some repeat and some do not.
 */
const EVEN = 0.205;
const EVEN_SPREAD = 0.2;
const LONG_COST = 0.6;
const LONG_BARS = 16;

/** Segmentation of a track with its score. */
export interface Segmentation {
  /** First bars of the sections, beginning with 0. */
  readonly starts: readonly number[];
  /** Larger is better; comparable between segmentations of the same track. */
  readonly score: number;
}

/**
 * Segments a track into sections whose pairs of bars are more similar than the average pair.
 *
 * It uses dynamic programming over all segmentations. Each section has a cost, higher for lengths other than eight,
 * sixteen, four or two bars, and for each bar beyond sixteen.
 *
 * score = Σ over sections [Σ over pairs of bars ≤ 8 apart (similarity − 1.3 · mean)] − cost(length)
 *
 * @returns no starts for no bars, one for bars that are all equal
 * @see Marmoret, Cohen and Bimbot, "Barwise music structure analysis with the correlation block-matching segmentation
 *   algorithm", TISMIR 6, 2023 (block kernel near the diagonal, penalty on irregular lengths)
 * @see Sargent, Bimbot and Vincent, "Estimating the structural segmentation of popular music pieces under regularity
 *   constraints", IEEE/ACM TASLP 25, 2017
 */
export function segmentBars(similarity: BarSimilarity): Segmentation {
  const { bars, mean, mostly, spread } = similarity;
  const isSame = mostly > SAME || (mostly > EVEN && spread < EVEN_SPREAD);
  if (bars > 0 && isSame) return { starts: [0], score: 0 };
  const score = new Float64Array(bars + 1).fill(-Infinity);
  const from = new Int32Array(bars + 1);
  score[0] = 0;
  for (let start = 0; start < bars; start++) {
    let alike = 0;
    for (let end = start + 1; end <= Math.min(bars, start + LONGEST_BARS); end++) {
      const newest = end - 1;
      for (let other = Math.max(start, newest - PAIR_REACH); other < newest; other++)
        alike += similarity.at(newest, other) - LEAST_LIKENESS * mean;
      const isEdge = start === 0 || end === bars;
      const value =
        (score[start] ?? 0) +
        alike -
        SECTION_COST -
        LENGTH_COST * oddness(end - start, isEdge) -
        LONG_COST * Math.max(0, end - start - LONG_BARS);
      if (value > (score[end] ?? 0)) {
        score[end] = value;
        from[end] = start;
      }
    }
  }
  const starts: number[] = [];
  for (let end = bars; end > 0; ) {
    end = from[end] ?? 0;
    starts.push(end);
  }
  return { starts: starts.reverse(), score: score[bars] ?? 0 };
}

/** Returns how unusual a length in bars is, 0 to 1; the first and the last section may have any remainder. */
function oddness(bars: number, isEdge: boolean): number {
  if (bars % 8 === 0) return 0;
  if (bars % 4 === 0) return 0.25;
  if (isEdge && bars > 4) return 0.5;
  return bars % 2 === 0 ? 0.6 : 1;
}
