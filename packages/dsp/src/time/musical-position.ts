import { beatAt, secondsAtBeat } from './beat-place.ts';
import { firstFrom } from './first-from.ts';

/** Ticks of a beat. */
export const TICKS_PER_BEAT = 960;
/** A downbeat and a beat no further apart are the same moment. */
const SAME_SECONDS = 0.005;
/** Beats that a place may lack to the next beat or tick and still be taken for it: what rounding leaves. */
const ROUNDING = 1e-6;

/** A place in bars and beats. */
export interface MusicalPosition {
  /** 1 is the bar of the first downbeat; 0 and below come before it. */
  readonly bar: number;
  /** 1 is the first of a bar. */
  readonly beat: number;
  /** 0 to 959. */
  readonly tick: number;
}

/**
 * The bar, beat and tick of a moment. Bars begin at the downbeats as they were heard, however many beats they have;
 * before the first and after the last one they are counted on by `beatsPerBar`, in the tempo that the beats have there.
 *
 * @param beats seconds, ascending; with fewer than two there is no position, and the answer is null
 * @param downbeats those of `beats` that begin bars; where there are none, the first beat begins one
 * @param beatsPerBar 1 or more
 * @spec Transport display
 */
export function musicalPosition(
  seconds: number,
  beats: readonly number[],
  downbeats: readonly number[],
  beatsPerBar: number,
): MusicalPosition | null {
  const place = beatAt(seconds, beats);
  if (!Number.isFinite(place)) return null;
  const whole = Math.floor(place + ROUNDING);
  const tick = Math.max(0, Math.floor((place + ROUNDING - whole) * TICKS_PER_BEAT));
  const past = firstFrom(downbeats, secondsAtBeat(whole, beats) + SAME_SECONDS);
  // Before the first downbeat bars are counted back from it.
  const bar = Math.max(0, past - 1);
  const barStart = Math.round(beatAt(downbeats[bar] ?? beats[0] ?? 0, beats));
  const since = whole - barStart;
  const isCounted = past === 0 || past === downbeats.length;
  const more = isCounted ? Math.floor(since / beatsPerBar) : 0;
  return { bar: 1 + bar + more, beat: 1 + since - more * beatsPerBar, tick };
}

/** A position as `12.3.480`; `-.-.---` where there is none. */
export function musicalText(position: MusicalPosition | null): string {
  if (!position) return '-.-.---';
  return `${position.bar}.${position.beat}.${String(position.tick).padStart(3, '0')}`;
}
