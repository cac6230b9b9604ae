/** How far the pitch fader of a turntable goes either way, in percent of the tempo. */
export const PITCH_FADER_PERCENT = 8;

/** What a count at half or double tempo is worth beside the same count: half of the beats meet nothing. */
export const OTHER_COUNT_WORTH = 0.8;

/** Beats of the first song to one of the second, once they run together. */
export const tempoFactors = [1, 2, 0.5] as const;

/** How the tempo of a second song is brought to that of a first one. */
export interface TempoRelation {
  /** By how much the second is sped up, in percent; negative for slowed down. */
  readonly percent: number;
  /** Beats of the first song to one of the second: 2 where the second is counted at half the tempo. */
  readonly factor: (typeof tempoFactors)[number];
  /** Whether `percent` lies within the range. */
  readonly isReachable: boolean;
  /** How good that is, 0 to 1: 1 for no move at all, a half at the end of the range, less beyond. */
  readonly score: number;
}

/**
 * What has to be done to a song of `bpmB` so that its beats fall on those of one of `bpmA`, counted alike, at half or at
 * double tempo, whichever is best. Null where one of the tempi is unknown (null or not above 0).
 *
 * @param rangePercent how far the tempo may be moved, above 0
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
    // The last bits of a division do not put a tempo at the very end out of reach.
    const isReachable = Math.abs(percent) <= rangePercent + 1e-9;
    if (!best || score > best.score) best = { percent, factor, isReachable, score };
  }
  return best;
}

/** The tempi, both bounds included, that {@link tempoRelation} finds within reach of `bpm`; `rangePercent` below 100. */
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
