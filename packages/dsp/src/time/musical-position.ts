import { beatAt, secondsAtBeat } from './beat-position.ts';
import { firstFrom } from './first-from.ts';

/** Ticks per beat. */
export const TICKS_PER_BEAT = 960;
/** A downbeat and a beat no further apart than this are the same. */
const SAME_SECONDS = 0.005;
/** Tolerance in beats by which a position is rounded up to the next beat or tick, for rounding errors. */
const ROUNDING = 1e-6;

/** A position in bars and beats. */
export interface MusicalPosition {
  /** Bar number: 1 begins at the first downbeat; 0 and below come before it. */
  readonly bar: number;
  /** Beat number: 1 is the first of a bar. */
  readonly beat: number;
  /** Tick, 0 to 959. */
  readonly tick: number;
}

/**
 * Returns the bar, beat and tick of a time.
 *
 * Bars begin at the detected downbeats, whatever their number of beats; before the first and after the last downbeat
 * they are extrapolated with `beatsPerBar` and the tempo there.
 *
 * @param beats seconds, ascending; fewer than two give null
 * @param downbeats those of `beats` that begin bars; without any, the first beat begins a bar
 * @param beatsPerBar 1 or more
 * @spec Transport display
 */
export function musicalPosition(
  seconds: number,
  beats: readonly number[],
  downbeats: readonly number[],
  beatsPerBar: number,
): MusicalPosition | null {
  const beatPosition = beatAt(seconds, beats);
  if (!Number.isFinite(beatPosition)) return null;
  const whole = Math.floor(beatPosition + ROUNDING);
  const tick = Math.max(0, Math.floor((beatPosition + ROUNDING - whole) * TICKS_PER_BEAT));
  const past = firstFrom(downbeats, secondsAtBeat(whole, beats) + SAME_SECONDS);
  // Bars before the first downbeat are counted backwards from it.
  const bar = Math.max(0, past - 1);
  const barStart = Math.round(beatAt(downbeats[bar] ?? beats[0] ?? 0, beats));
  const since = whole - barStart;
  const isCounted = past === 0 || past === downbeats.length;
  const more = isCounted ? Math.floor(since / beatsPerBar) : 0;
  return { bar: 1 + bar + more, beat: 1 + since - more * beatsPerBar, tick };
}

/** Formats a position as `12.3.480`, or `-.-.---` for null. */
export function musicalText(position: MusicalPosition | null): string {
  if (!position) return '-.-.---';
  return `${position.bar}.${position.beat}.${String(position.tick).padStart(3, '0')}`;
}
