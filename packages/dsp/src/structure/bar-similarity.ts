import type { BarFeature } from './bar-features.ts';

/** Similarity of bars within a maximum distance, the reach. */
export interface BarSimilarity {
  readonly bars: number;
  /** Returns the similarity of two bars, 0 to 1; 0 beyond the reach. */
  at(bar: number, other: number): number;
  /** Mean over all pairs within the reach. */
  readonly mean: number;
  /** First quintile of the pairs within the reach. */
  readonly mostly: number;
  /** Standard deviation of the pairs within the reach. */
  readonly spread: number;
}

/** Weight and noise floor of a kind of feature. */
export interface BarKind {
  readonly weight: number;
  /** Squared distance below which two bars count as equal. */
  readonly least: number;
}

/**
 * Computes the similarity of the bars of a track.
 *
 * It is e^(−mean), where the mean over the kinds of features is that of the squared distance relative to its median
 * over all pairs. Only pairs within the reach are stored, so memory grows linearly with the track.
 *
 * @param kinds in the order of `features`: weight, and squared distance below which bars are equal, so that random
 *   variation in noise and held tones does not count
 * @param reach largest distance in bars, at least 1
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
  const mean = pairs.reduce((sum, value) => sum + value, 0) / Math.max(1, pairs.length);
  const variance = pairs.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, pairs.length);
  return {
    bars,
    mean,
    spread: Math.sqrt(variance),
    mostly: pairs[Math.floor(pairs.length / 5)] ?? 0,
    at(bar, other) {
      const late = Math.max(bar, other);
      const lag = Math.abs(bar - other);
      if (lag === 0) return 1;
      return lag <= reach ? (similarity[late * reach + lag - 1] ?? 0) : 0;
    },
  };
}

/**
 * Returns the median of the values above 0, because exact repetitions must not make all other bars infinitely distant.
 */
function middleOf(values: readonly number[]): number {
  const sorted = values.filter((value) => value > 0).sort((left, right) => left - right);
  return sorted[Math.floor(sorted.length / 2)] ?? 0;
}
