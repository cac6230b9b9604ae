import { ONSET_RATE, type OnsetStrength } from '../rhythm/onset-envelope.ts';

/** Features of a track over time. */
export interface FeatureColumns {
  /** Twelve pitch classes per column. */
  readonly chroma: readonly Float32Array[];
  /** Thirteen cepstral coefficients per column; the first is the level. */
  readonly mfcc: readonly Float32Array[];
  /** Seconds per column. */
  readonly columnSeconds: number;
  readonly onsets: OnsetStrength;
}

/** One kind of feature for all bars, `width` values per bar, bar by bar. */
export interface BarFeature {
  readonly width: number;
  readonly values: Float32Array;
}

/** Parts per bar: eighths in 4/4. */
const PARTS = 8;

/**
 * Returns harmony, timbre, level and rhythm of each bar in eight equal parts.
 *
 * Bars are thus similar only if they have the same content in the same order.
 *
 * @param edges starts of the bars and end of the last one in seconds
 * @returns four kinds of features, each for `edges.length` − 1 bars
 * @see Marmoret, Cohen and Bimbot, "Barwise music structure analysis with the correlation block-matching segmentation
 *   algorithm", TISMIR 6, 2023
 */
export function describeBars(columns: FeatureColumns, edges: readonly number[]): BarFeature[] {
  const { columnSeconds, onsets } = columns;
  const unit = columns.chroma.map(toUnitNorm);
  const timbre = columns.mfcc.map((column) => column.subarray(1));
  const level = columns.mfcc.map((column) => column.subarray(0, 1));
  const beginnings = [onsets.low, onsets.middle, onsets.high, onsets.drum];
  return [
    courseOf(edges, 12, columnSeconds, (column) => unit[column]),
    courseOf(edges, 12, columnSeconds, (column) => timbre[column]),
    courseOf(edges, 1, columnSeconds, (column) => level[column]),
    courseOf(edges, beginnings.length, 1 / ONSET_RATE, (hop) => {
      return hop < onsets.low.length ? beginnings.map((curve) => curve[hop] ?? 0) : undefined;
    }),
  ];
}

/** Averages columns over each part of each bar. */
function courseOf(
  edges: readonly number[],
  size: number,
  columnSeconds: number,
  columnAt: (index: number) => ArrayLike<number> | undefined,
): BarFeature {
  const bars = Math.max(0, edges.length - 1);
  const width = PARTS * size;
  const values = new Float32Array(bars * width);
  for (let bar = 0; bar < bars; bar++) {
    const start = edges[bar] ?? 0;
    const length = (edges[bar + 1] ?? start) - start;
    for (let part = 0; part < PARTS; part++) {
      const from = Math.round((start + (part / PARTS) * length) / columnSeconds);
      const to = Math.max(from + 1, Math.round((start + ((part + 1) / PARTS) * length) / columnSeconds));
      const base = bar * width + part * size;
      for (let at = from; at < to; at++) {
        const column = columnAt(at);
        if (!column) continue;
        for (let row = 0; row < size; row++)
          values[base + row] = (values[base + row] ?? 0) + (column[row] ?? 0) / (to - from);
      }
    }
  }
  return { width, values };
}

function toUnitNorm(column: Float32Array): Float32Array {
  const norm = Math.sqrt(column.reduce((sum, value) => sum + value * value, 0));
  return norm > 0 ? column.map((value) => value / norm) : column;
}
