import { fitTaps, LEAST_TAPS, type TapFit } from '@stem-studio/dsp/rhythm/grid/tap-tempo';

/** After a pause this long the next tap begins a new series. */
const PAUSE_SECONDS = 3;
/** A series is over when so many beats, or so many milliseconds at least, have passed without a tap. */
const OVER_BEATS = 2.5;
const OVER_MS = 1200;
/** Beats of the beginning say little about those of the end: only so many of the last taps count. */
const MOST_TAPS = 64;

/** Taps that belong together. */
export interface TapSeries {
  /** Places in the song, in seconds. */
  readonly taps: readonly number[];
  /** Their beat; null while they are too few. */
  readonly fit: TapFit | null;
}

/** No taps yet. */
export const noTaps: TapSeries = { taps: [], fit: null };

/** The series with one more tap, or a new one after a pause or a jump backwards. */
export function withTap(series: TapSeries, placeSeconds: number): TapSeries {
  const since = placeSeconds - (series.taps.at(-1) ?? placeSeconds);
  const isNew = since < 0 || since > PAUSE_SECONDS;
  const taps = isNew ? [placeSeconds] : [...series.taps, placeSeconds].slice(-MOST_TAPS);
  return { taps, fit: fitTaps(taps) };
}

/** How long after the last tap a series is over, in milliseconds. */
export function overAfterMs({ fit }: TapSeries): number {
  return Math.max(OVER_MS, (fit?.periodSeconds ?? 0) * OVER_BEATS * 1000);
}

/** How far a series is: what to do, or the tempo so far. */
export function tapWords({ taps, fit }: TapSeries, isPlaying: boolean): string {
  if (taps.length === 0) return isPlaying ? 'Tap on the beat, first on a one' : 'Play the song to tap along';
  if (!fit) return `${Math.max(1, LEAST_TAPS - taps.length)} more`;
  return `${fit.bpm.toFixed(1)} bpm, ± ${Math.round(fit.spreadSeconds * 1000)} ms`;
}
