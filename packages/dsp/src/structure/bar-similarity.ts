import type { BarFeature } from './bar-features.ts';

/** How alike bars are that lie no further apart than a reach. */
export interface BarSimilarity {
  readonly bars: number;
  /** 0 to 1 for two bars; 0 where they lie further apart than the reach. */
  at(bar: number, other: number): number;
  /** The mean over all pairs within the reach. */
  readonly mean: number;
  /** What four of five pairs within the reach are alike at least. */
  readonly mostly: number;
}

/** A kind of number that bars are compared by. */
export interface BarKind {
  readonly weight: number;
  /** Squared distance of two bars below which they are the same. */
  readonly least: number;
}

/**
 * How alike the bars of a track are: for each kind of number the squared distance, in units of its median over
 * all pairs, and of all kinds together e^(−mean). Only pairs within the reach are kept, so that the memory grows with
 * the length of the track and not with its square.
 *
 * @param kinds of the numbers, in the order of `features`: what each counts, and the least squared distance that is
 *   a difference at all, so that the bars of noise and of a held tone are not told apart by their grain
 * @param reach bars apart, at least 1
 */
export function compareBars(
  features: readonly BarFeature[],
  kinds: readonly BarKind[],
  reach: number,
): BarSimilarity {
  const first = features[0];
  const bars = first ? first.values.length / first.width : 0;
  const distance = new Float64Array(bars * reach);
  const total = kinds.reduce((sum, { weight }) => sum + weight, 0);
  for (const [kind, { width, values }] of features.entries()) {
    const squares = new Float64Array(bars * reach);
    const known: number[] = [];
    for (let bar = 0; bar < bars; bar++) {
      for (let lag = 1; lag <= Math.min(reach, bar); lag++) {
        const here = bar * width;
        const there = (bar - lag) * width;
        let square = 0;
        for (let at = 0; at < width; at++)
          square += ((values[here + at] ?? 0) - (values[there + at] ?? 0)) ** 2;
        squares[bar * reach + lag - 1] = square;
        known.push(square);
      }
    }
    const { weight = 0, least = 0 } = kinds[kind] ?? {};
    const usual = Math.max(least, middleOf(known));
    const scale = usual > 0 ? weight / usual / total : 0;
    for (let at = 0; at < squares.length; at++)
      distance[at] = (distance[at] ?? 0) + scale * (squares[at] ?? 0);
  }
  const similarity = distance.map((value) => Math.exp(-value));
  const pairs: number[] = [];
  for (let bar = 0; bar < bars; bar++)
    for (let lag = 1; lag <= Math.min(reach, bar); lag++) pairs.push(similarity[bar * reach + lag - 1] ?? 0);
  pairs.sort((left, right) => left - right);
  return {
    bars,
    mean: pairs.reduce((sum, value) => sum + value, 0) / Math.max(1, pairs.length),
    mostly: pairs[Math.floor(pairs.length / 5)] ?? 0,
    at(bar, other) {
      const late = Math.max(bar, other);
      const lag = Math.abs(bar - other);
      if (lag === 0) return 1;
      return lag <= reach ? (similarity[late * reach + lag - 1] ?? 0) : 0;
    },
  };
}

/** The median of what is above 0: bars that repeat to the sample must not make all others infinitely far. */
function middleOf(values: readonly number[]): number {
  const sorted = values.filter((value) => value > 0).sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
