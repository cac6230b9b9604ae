/** Tempo and phase fitted to taps. */
export interface TapFit {
  readonly bpm: number;
  readonly periodSeconds: number;
  /** Time of the beat of the first tap. */
  readonly firstSeconds: number;
  /** Taps without outliers, in seconds, ascending. */
  readonly kept: readonly number[];
  /** Mean deviation of the kept taps from their beats. */
  readonly spreadSeconds: number;
}

/** Fewest taps that determine a tempo. */
export const LEAST_TAPS = 4;
/** Interval below which two taps count as one. */
const BOUNCE_SECONDS = 0.1;
/** Deviation in beats above which a tap is an outlier. */
const SLIP = 0.2;

/**
 * Fits tempo and phase to taps. The fit is robust against missing, double and late taps: the first estimate is the
 * median of the slopes between all pairs, the second the regression line without outliers.
 *
 * @param taps seconds of the song, in any order
 * @returns null for fewer than four regular taps
 * @see Theil, "A rank-invariant method of linear and polynomial regression analysis", 1950; Sen, JASA 63, 1968
 */
export function fitTaps(taps: readonly number[]): TapFit | null {
  const times = taps
    .filter(Number.isFinite)
    .toSorted((left, right) => left - right)
    .filter((time, index, all) => index === 0 || time - (all[index - 1] ?? 0) >= BOUNCE_SECONDS);
  if (times.length < LEAST_TAPS) return null;
  const usual = median(times.slice(1).map((time, index) => time - (times[index] ?? 0)));
  let count = 0;
  const points = times.map((time, index) => {
    if (index > 0) count += Math.max(1, Math.round((time - (times[index - 1] ?? 0)) / usual));
    return { count, time };
  });
  const slopes = points.flatMap((from, index) =>
    points.slice(index + 1).map((to) => (to.time - from.time) / (to.count - from.count)),
  );
  const slope = median(slopes);
  const start = median(points.map((point) => point.time - slope * point.count));
  const kept = points.filter((point) => Math.abs(point.time - start - slope * point.count) <= SLIP * slope);
  if (kept.length < LEAST_TAPS) return null;

  const meanCount = kept.reduce((sum, point) => sum + point.count, 0) / kept.length;
  const meanTime = kept.reduce((sum, point) => sum + point.time, 0) / kept.length;
  const along = kept.reduce((sum, point) => sum + (point.count - meanCount) * (point.time - meanTime), 0);
  const across = kept.reduce((sum, point) => sum + (point.count - meanCount) ** 2, 0);
  const periodSeconds = along / across;
  const firstSeconds = meanTime - meanCount * periodSeconds;
  const deviations = kept.map((point) => Math.abs(point.time - firstSeconds - point.count * periodSeconds));
  return {
    bpm: 60 / periodSeconds,
    periodSeconds,
    firstSeconds,
    kept: kept.map((point) => point.time),
    spreadSeconds: deviations.reduce((sum, deviation) => sum + deviation, 0) / deviations.length,
  };
}

function median(values: readonly number[]): number {
  const sorted = values.toSorted((left, right) => left - right);
  const half = sorted.length >> 1;
  const upper = sorted[half] ?? 0;
  return sorted.length % 2 === 0 ? ((sorted[half - 1] ?? 0) + upper) / 2 : upper;
}
