/** A tempo at a time. */
export interface TempoPoint {
  /** Seconds. */
  readonly time: number;
  /** Beats a minute. */
  readonly bpm: number;
}

/** Beats that a point is measured over, and beats from point to point. */
const STRETCH_BEATS = 8;
const STEP_BEATS = 4;

/**
 * How the tempo moves: a point each four beats, measured over the eight around it.
 *
 * @param beats seconds, ascending
 * @param isStable whether the track keeps its tempo: then the answer is empty
 * @returns empty for a straight tempo and for fewer than nine beats; bpm with two decimals
 */
export function tempoCurve(beats: readonly number[], isStable: boolean): TempoPoint[] {
  if (isStable) return [];
  const points: TempoPoint[] = [];
  for (let first = 0; first + STRETCH_BEATS < beats.length; first += STEP_BEATS) {
    const length = (beats[first + STRETCH_BEATS] ?? 0) - (beats[first] ?? 0);
    if (length <= 0) continue;
    points.push({
      time: beats[first + STRETCH_BEATS / 2] ?? 0,
      bpm: Math.round((6_000 * STRETCH_BEATS) / length) / 100,
    });
  }
  return points;
}
