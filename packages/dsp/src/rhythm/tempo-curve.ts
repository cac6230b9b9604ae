/** Tempo at a time. */
export interface TempoPoint {
  /** Seconds. */
  readonly time: number;
  /** Tempo in bpm. */
  readonly bpm: number;
}

/** Beats over which a point is measured, and beats between points. */
const STRETCH_BEATS = 8;
const STEP_BEATS = 4;

/**
 * Returns the tempo every four beats, measured over the eight beats around it.
 *
 * @param beats seconds, ascending
 * @param isStable whether the tempo is constant: then the curve is empty
 * @returns empty for a constant tempo and for fewer than nine beats; bpm with two decimals
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
