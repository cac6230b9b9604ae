/** Tempo measured over beats. */
export interface MeasuredTempo {
  /** Beats per minute with two decimals; 0 for fewer than two beats. */
  readonly bpm: number;
  /** Whether nine of ten spans of eight beats keep within 1.5 % of it. */
  readonly isStable: boolean;
}

const STRETCH_BEATS = 8;
const STEADY = 0.015;

/**
 * Returns the median tempo over all spans of eight beats (or of all beats, if there are fewer).
 *
 * @param beats seconds, ascending
 */
export function measureTempo(beats: readonly number[]): MeasuredTempo {
  const length = Math.min(STRETCH_BEATS, beats.length - 1);
  if (length < 1) return { bpm: 0, isStable: false };
  const stretches = beats.slice(length).map((beat, index) => (beat - (beats[index] ?? 0)) / length);
  const sorted = stretches.toSorted((left, right) => left - right);
  const middle = sorted[Math.floor(sorted.length / 2)] ?? 0;
  const steady = stretches.filter((stretch) => Math.abs(stretch - middle) <= STEADY * middle);
  return {
    bpm: Math.round(6_000 / middle) / 100,
    isStable: steady.length >= 0.9 * stretches.length,
  };
}
