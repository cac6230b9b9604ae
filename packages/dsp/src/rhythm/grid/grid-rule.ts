import { beatAt, secondsAtBeat } from '../../time/beat-position.ts';
import type { BeatTimeline } from './beat-lookup.ts';

/** Grid of equidistant beats. */
export interface EvenGrid {
  readonly kind: 'even';
  /** Beats per minute. */
  readonly bpm: number;
  /** Time of beat 0, a downbeat, in seconds; may lie outside of the song. */
  readonly downbeatSeconds: number;
  readonly timeSignature: string;
}

/** Grid that follows the drift of the detected beats. */
export interface FollowingGrid {
  readonly kind: 'following';
  /**
   * Detected beat at which beat 0, a downbeat, lies: 0 is the first one, 0.5 the middle between the first and the
   * second.
   */
  readonly downbeatIndex: number;
  /** Detected beats per beat: 0.5 for double tempo, 2 for half tempo. */
  readonly step: number;
  /** Delay of all beats relative to the detected ones in seconds. */
  readonly offsetSeconds: number;
  readonly timeSignature: string;
}

/**
 * Rule from which all beats and bars of a song are computed, in the form in which an edited grid is stored.
 *
 * It covers the whole song and beyond. A following rule needs the detected beats, which are stored with their analysis.
 */
export type GridRule = EvenGrid | FollowingGrid;

/**
 * Creates the conversion between beats and seconds of a rule. Beat 0 is a downbeat.
 *
 * @param detected detected beats in seconds, ascending; an even rule does not need them
 * @throws RangeError if a following rule gets fewer than two detected beats
 */
export function timelineOf(rule: GridRule, detected: readonly number[]): BeatTimeline {
  if (rule.kind === 'even') {
    const periodSeconds = 60 / rule.bpm;
    return {
      secondsAt: (beat) => rule.downbeatSeconds + beat * periodSeconds,
      beatAt: (seconds) => (seconds - rule.downbeatSeconds) / periodSeconds,
    };
  }
  if (detected.length < 2)
    throw new RangeError(`a following grid needs at least two detected beats (got ${detected.length})`);
  const { downbeatIndex, step, offsetSeconds } = rule;
  return {
    secondsAt: (beat) => secondsAtBeat(downbeatIndex + beat * step, detected) + offsetSeconds,
    beatAt: (seconds) => (beatAt(seconds - offsetSeconds, detected) - downbeatIndex) / step,
  };
}
