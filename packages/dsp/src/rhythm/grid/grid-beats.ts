import { measureTempo } from '../measured-tempo.ts';
import type { Rhythm } from '../rhythm.ts';
import { beatsPerBarOf } from '../time-signature.ts';
import { type GridRule, timelineOf } from './grid-rule.ts';

/** Distance outside of the song, in beats, at which a beat is moved to the edge of the song instead of dropped. */
const EDGE = 1e-6;

/**
 * Returns the rhythm of a grid rule for a whole song, with times to a tenth of a millisecond. Its confidence is 1,
 * because a user has confirmed it.
 *
 * @param detected detected beats that a following rule refers to, in seconds, ascending
 * @param durationSeconds length of the song; no beat lies beyond it
 * @throws RangeError if a following rule gets fewer than two detected beats
 */
export function rhythmOf(rule: GridRule, detected: readonly number[], durationSeconds: number): Rhythm {
  const { secondsAt, beatAt } = timelineOf(rule, detected);
  const beatsPerBar = beatsPerBarOf(rule.timeSignature);
  const beats: number[] = [];
  const downbeats: number[] = [];
  const end = Math.floor(beatAt(durationSeconds) + EDGE);
  for (let beat = Math.ceil(beatAt(0) - EDGE); beat <= end; beat++) {
    const seconds = Math.round(Math.min(durationSeconds, Math.max(0, secondsAt(beat))) * 10_000) / 10_000;
    beats.push(seconds);
    if (beat % beatsPerBar === 0) downbeats.push(seconds);
  }
  const tempo =
    rule.kind === 'even' ? { bpm: Math.round(rule.bpm * 100) / 100, isStable: true } : measureTempo(beats);
  return { ...tempo, confidence: 1, beats, downbeats, beatsPerBar, timeSignature: rule.timeSignature };
}
