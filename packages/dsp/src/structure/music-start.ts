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
 * Returns the time at which the music begins, after the silence at the beginning of a recording.
 *
 * It is the first onset near the first audible column, or that column for music that fades in.
 *
 * @returns seconds; 0 for less than 0.1 s of silence, and for silence throughout
 */
export function musicStart({ mfcc, columnSeconds, onsets }: FeatureColumns): number {
  const column = mfcc.findIndex((values) => (values[0] ?? 0) > SILENT_LEVEL);
  if (column < 1) return 0;
  // A column covers the time of its neighbours too.
  const from = (column - 1) * columnSeconds;
  const last = Math.floor((from + SEARCH_SECONDS) * ONSET_RATE);
  for (let hop = Math.ceil(from * ONSET_RATE); hop <= last; hop++) {
    const strength = (onsets.low[hop] ?? 0) + (onsets.middle[hop] ?? 0) + (onsets.high[hop] ?? 0);
    if (strength > EVENT) return atLeast(hop / ONSET_RATE);
  }
  return atLeast(column * columnSeconds);
}

function atLeast(seconds: number): number {
  return seconds < LEAST_SECONDS ? 0 : seconds;
}
