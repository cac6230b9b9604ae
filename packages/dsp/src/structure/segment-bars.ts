import type { BarSimilarity } from './bar-similarity.ts';

/** Bars that a section has at most, and how far apart two bars may lie to be compared. */
const LONGEST_BARS = 36;
/** Bars apart up to which a pair within a section counts. */
export const PAIR_REACH = 8;
/** What a section costs, in pairs of bars, and how much more one of an unusual length. */
const SECTION_COST = 0.6;
const LENGTH_COST = 2;
/** How much more alike than on average a pair must be to speak for one section, and what each bar beyond sixteen costs. */
const LEAST_LIKENESS = 1.3;
/** What four of five pairs are alike at least where nothing ever changes: 0.3 in music, 0.41 in noise and more in tones. */
const SAME = 0.4;
const LONG_COST = 0.6;
const LONG_BARS = 16;

/** A way to cut a track, and how well it fits. */
export interface Segmentation {
  /** The bars at which sections begin, the first 0. */
  readonly starts: readonly number[];
  /** Larger is better; comparable between segmentations of the same track. */
  readonly score: number;
}

/**
 * Cuts a track where what was alike ends: the sections in which pairs of bars are more alike than pairs of this
 * track are on average, by dynamic programming over all ways to cut. A section costs something, more when its
 * bars are not eight, sixteen, four or two, for music is built in those, and more for each bar beyond sixteen.
 *
 * score = Σ over sections [Σ over pairs of bars ≤ 8 apart (alike − 1.3 · mean)] − cost(length)
 *
 * @returns no starts for no bars, and one for bars that are all the same
 * @see Marmoret, Cohen and Bimbot, "Barwise music structure analysis with the correlation block-matching segmentation
 *   algorithm", TISMIR 6, 2023 (block kernel near the diagonal, penalty on irregular lengths)
 * @see Sargent, Bimbot and Vincent, "Estimating the structural segmentation of popular music pieces under regularity
 *   constraints", IEEE/ACM TASLP 25, 2017
 */
export function segmentBars(similarity: BarSimilarity): Segmentation {
  const { bars, mean, mostly } = similarity;
  if (bars > 0 && mostly > SAME) return { starts: [0], score: 0 };
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

/** How unusual a number of bars is, 0 to 1; the first and the last section may have what is left over. */
function oddness(bars: number, isEdge: boolean): number {
  if (bars % 8 === 0) return 0;
  if (bars % 4 === 0) return 0.25;
  if (isEdge && bars > 4) return 0.5;
  return bars % 2 === 0 ? 0.6 : 1;
}
