import { fitTaps, LEAST_TAPS, type TapFit } from '@stem-studio/dsp/rhythm/grid/tap-tempo';

/** Pause after which a tap starts a new series. */
const PAUSE_SECONDS = 3;
/** Number of beats without a tap after which a series ends, and the least time for it in ms. */
const END_BEATS = 2.5;
const END_MS = 1200;
/** Only the last taps count, because the tempo may drift. */
const MOST_TAPS = 64;

/** Consecutive taps on the same tempo. */
export interface TapSeries {
  /** Positions in the song, in seconds, ascending. */
  readonly taps: readonly number[];
  /** Beat fitted to the taps; null while there are too few. */
  readonly fit: TapFit | null;
}

/** No taps yet. */
export const noTaps: TapSeries = { taps: [], fit: null };

/** Returns the series with one more tap, or a new series after a pause or a jump backwards. */
export function withTap(series: TapSeries, positionSeconds: number): TapSeries {
  const since = positionSeconds - (series.taps.at(-1) ?? positionSeconds);
  const isNew = since < 0 || since > PAUSE_SECONDS;
  const taps = isNew ? [positionSeconds] : [...series.taps, positionSeconds].slice(-MOST_TAPS);
  return { taps, fit: fitTaps(taps) };
}

/** Returns how long after its last tap a series ends, in milliseconds. */
export function endAfterMs({ fit }: TapSeries): number {
  return Math.max(END_MS, (fit?.periodSeconds ?? 0) * END_BEATS * 1000);
}

/** Text beside the tap button: a hint, or the tempo so far with its spread. */
export function tapText({ taps, fit }: TapSeries, isPlaying: boolean): string {
  if (taps.length === 0) return isPlaying ? 'Tap from a downbeat' : 'Play to tap along';
  if (!fit) return `${Math.max(1, LEAST_TAPS - taps.length)} more`;
  return `${fit.bpm.toFixed(1)} BPM, ± ${Math.round(fit.spreadSeconds * 1000)} ms`;
}
