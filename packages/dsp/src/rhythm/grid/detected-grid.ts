import type { HandGrid } from './grid-rule.ts';

/** What an analysis says about the beats of a song. */
export interface HeardRhythm {
  /** Seconds, ascending. */
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
  /** Beats a minute, rounded. */
  readonly bpm: number;
  readonly timeSignature: string;
}

/** Beats that all lie this near to one straight line were made by a machine. */
const STRAIGHT_SECONDS = 0.002;
/** A line through fewer is none. */
const LEAST_STRAIGHT_BEATS = 8;

/**
 * What was heard as a rule: an even grid where all beats lie on one line, else one that follows them.
 *
 * @returns null for fewer than two beats, where there is nothing to go on from
 */
export function heardGridOf({ beats, downbeats, bpm, timeSignature }: HeardRhythm): HandGrid | null {
  if (beats.length < 2) return null;
  const signature = timeSignature === '' ? '4/4' : timeSignature;
  const first = downbeats[0] ?? beats[0] ?? 0;
  const one = beats.reduce(
    (near, time, index) => (Math.abs(time - first) < Math.abs((beats[near] ?? 0) - first) ? index : near),
    0,
  );
  const line = straightLine(beats, bpm);
  return line
    ? {
        kind: 'even',
        bpm: line.bpm,
        oneSeconds: line.firstSeconds + (one * 60) / line.bpm,
        timeSignature: signature,
      }
    : { kind: 'following', one, step: 1, offsetSeconds: 0, timeSignature: signature };
}

/** The line through all beats, at the rounded tempo where that fits as well; null where they lie on none. */
function straightLine(
  beats: readonly number[],
  roundedBpm: number,
): { bpm: number; firstSeconds: number } | null {
  const count = beats.length;
  if (count < LEAST_STRAIGHT_BEATS) return null;
  const middle = (count - 1) / 2;
  const mean = beats.reduce((sum, time) => sum + time, 0) / count;
  const along = beats.reduce((sum, time, index) => sum + (index - middle) * (time - mean), 0);
  const across = beats.reduce((sum, _, index) => sum + (index - middle) ** 2, 0);
  const fits = (period: number): boolean =>
    beats.every((time, index) => Math.abs(mean + (index - middle) * period - time) <= STRAIGHT_SECONDS);
  for (const period of [60 / roundedBpm, along / across]) {
    if (Number.isFinite(period) && period > 0 && fits(period))
      return {
        bpm: period === 60 / roundedBpm ? roundedBpm : 60 / period,
        firstSeconds: mean - middle * period,
      };
  }
  return null;
}
