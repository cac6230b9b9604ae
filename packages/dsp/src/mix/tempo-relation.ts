/** Range of the pitch fader of a turntable in either direction, in percent of the tempo. */
export const PITCH_FADER_PERCENT = 8;

/** Factor of the score for half or double tempo, where half of the beats coincide with none. */
export const OTHER_COUNT_WORTH = 0.8;

/** Possible numbers of beats of the first song per beat of the second. */
export const tempoFactors = [1, 2, 0.5] as const;

/** Change that brings the tempo of a second song to that of a first one. */
export interface TempoRelation {
  /** Change of the second tempo in percent; negative to slow down. */
  readonly percent: number;
  /** Beats of the first song per beat of the second: 2 if the second is counted at half the tempo. */
  readonly factor: (typeof tempoFactors)[number];
  /** Whether `percent` lies within the range. */
  readonly isReachable: boolean;
  /** Score from 0 to 1: 1 for no change, one half at the end of the range, less beyond. */
  readonly score: number;
}

/**
 * Returns the change after which the beats of a song of `bpmB` coincide with those of one of `bpmA`.
 *
 * The tempi are counted alike, at half or at double tempo, whichever scores best. Null if one of them is unknown (null
 * or not above 0).
 *
 * @param rangePercent largest change of tempo, above 0
 */
export function tempoRelation(
  bpmA: number | null,
  bpmB: number | null,
  rangePercent = PITCH_FADER_PERCENT,
): TempoRelation | null {
  if (bpmA === null || bpmB === null || bpmA <= 0 || bpmB <= 0) return null;
  let best: TempoRelation | null = null;
  for (const factor of tempoFactors) {
    const percent = (bpmA / (bpmB * factor) - 1) * 100;
    const worth = factor === 1 ? 1 : OTHER_COUNT_WORTH;
    const score = worth / (1 + (percent / rangePercent) * (percent / rangePercent));
    // Rounding errors of the division must not exclude a tempo at the very end of the range.
    const isReachable = Math.abs(percent) <= rangePercent + 1e-9;
    if (!best || score > best.score) best = { percent, factor, isReachable, score };
  }
  return best;
}

/**
 * Returns the tempi (bounds included) that {@link tempoRelation} finds within reach of `bpm`; `rangePercent` below 100.
 */
export function reachableTempi(
  bpm: number,
  rangePercent = PITCH_FADER_PERCENT,
): { readonly min: number; readonly max: number }[] {
  const range = rangePercent / 100;
  return tempoFactors.map((factor) => ({
    min: bpm / factor / (1 + range),
    max: bpm / factor / (1 - range),
  }));
}
