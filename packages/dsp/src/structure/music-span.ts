import { ONSET_RATE } from '../rhythm/onset-envelope.ts';
import type { FeatureColumns } from './bar-features.ts';

/** Level of the first cepstral coefficient below which a column is silent: −80 dB in the mean of 128 bands. */
const SILENT_LEVEL = -80 * Math.sqrt(128);
/** Silence at the beginning that does not count, in seconds. */
const LEAST_SECONDS = 0.1;
/** Time after the first audible column in which its onset is searched, in seconds. */
const SEARCH_SECONDS = 0.35;
/** Onset strength of an event in all ranges together. */
const EVENT = 0.15;

/**
 * Returns the times at which the music begins and ends, without the silence before and after it.
 *
 * It begins with the first onset near the first audible column, or with that column if it fades in.
 *
 * @returns seconds; `start` is 0 for less than 0.1 s of silence; the whole recording for silence throughout
 */
export function musicSpan(
  { mfcc, columnSeconds, onsets }: FeatureColumns,
  durationSeconds: number,
): { start: number; end: number } {
  const isAudible = (values: Float32Array): boolean => (values[0] ?? 0) > SILENT_LEVEL;
  const first = mfcc.findIndex(isAudible);
  if (first < 0) return { start: 0, end: durationSeconds };
  const end = Math.min(durationSeconds, (mfcc.findLastIndex(isAudible) + 1) * columnSeconds);
  const start = first === 0 ? 0 : onsetAfter(onsets, (first - 1) * columnSeconds, first * columnSeconds);
  return { start: start < LEAST_SECONDS ? 0 : start, end };
}

/** Returns the time of the first event after a time, or `otherwise`. A column covers the time of its neighbours too. */
function onsetAfter(onsets: FeatureColumns['onsets'], fromSeconds: number, otherwise: number): number {
  const last = Math.floor((fromSeconds + SEARCH_SECONDS) * ONSET_RATE);
  for (let hop = Math.ceil(fromSeconds * ONSET_RATE); hop <= last; hop++) {
    const strength = (onsets.low[hop] ?? 0) + (onsets.middle[hop] ?? 0) + (onsets.high[hop] ?? 0);
    if (strength > EVENT) return hop / ONSET_RATE;
  }
  return otherwise;
}
