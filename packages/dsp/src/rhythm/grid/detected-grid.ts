import type { Rhythm } from '../rhythm.ts';
import type { GridRule } from './grid-rule.ts';

/** Largest deviation of machine-made beats from a straight line. */
const STRAIGHT_SECONDS = 0.002;
/** Fewest beats through which a line is fitted. */
const LEAST_STRAIGHT_BEATS = 8;

/**
 * Returns the rule of a detected rhythm: an even grid where all beats lie on one line, else one that follows them.
 *
 * @returns null for fewer than two beats
 */
export function detectedRule({
  beats,
  downbeats,
  bpm,
  timeSignature,
}: Pick<Rhythm, 'beats' | 'downbeats' | 'bpm' | 'timeSignature'>): GridRule | null {
  if (beats.length < 2) return null;
  const signature = timeSignature === '' ? '4/4' : timeSignature;
  const first = downbeats[0] ?? beats[0] ?? 0;
  const downbeatIndex = beats.reduce(
    (near, time, index) => (Math.abs(time - first) < Math.abs((beats[near] ?? 0) - first) ? index : near),
    0,
  );
  const line = straightLine(beats, bpm);
  return line
    ? {
        kind: 'even',
        bpm: line.bpm,
        downbeatSeconds: line.firstSeconds + (downbeatIndex * 60) / line.bpm,
        timeSignature: signature,
      }
    : { kind: 'following', downbeatIndex, step: 1, offsetSeconds: 0, timeSignature: signature };
}

/** Fits a line to all beats, at the rounded tempo where that fits as well; null where they lie on none. */
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
