import { type BeatHypothesis, beatHypotheses } from './beat-hypotheses.ts';
import { measureTempo } from './measured-tempo.ts';
import { ONSET_RATE } from './onset-envelope.ts';
import { noPulse, type Rhythm } from './rhythm.ts';
import type { RhythmEvidence } from './rhythm-evidence.ts';
import type { RhythmWeights } from './rhythm-weights.ts';
import { timeSignatureOf } from './time-signature.ts';
import { trackRhythm } from './track-rhythm.ts';

/** Fewest beats of a pulse. */
const LEAST_BEATS = 4;

/**
 * Returns the most probable rhythm by learned weights of the evidence.
 *
 * network and onsets → log-odds of a beat per frame → paths of a bar pointer → the same beats at other levels and phases
 * → bars of each → the most probable by all evidence together. The analysis does not use it yet (docs/decisions/0331).
 *
 * @returns {@link noPulse} for silence, a single click, noise, and audio of fewer than four beats
 */
export function decodeRhythm(evidence: RhythmEvidence, weights: RhythmWeights): Rhythm {
  const { onsets, envelope, durationSeconds, chromaAt } = evidence;
  const tracked = trackRhythm(onsets, durationSeconds, chromaAt);
  if (tracked.bpm === 0) return noPulse;
  const [best] = beatHypotheses(evidence, weights, tracked.beats);
  const bars = best?.bars[0];
  if (!best || !bars) return noPulse;
  const [first, last] = soundingSpan(envelope, best, durationSeconds);
  const isKept = (beat: number): boolean => beat >= first && beat <= last;
  const beats = best.beats.filter(isKept);
  if (beats.length < LEAST_BEATS) return noPulse;
  const { bpm, isStable } = measureTempo(beats);
  return {
    bpm,
    isStable,
    confidence: calibrated(best.probability, weights.confidence),
    beats,
    downbeats: bars.downbeats.map((index) => best.beats[index] ?? 0).filter(isKept),
    beatsPerBar: bars.beatsPerBar,
    timeSignature: timeSignatureOf(bars.beatsPerBar, best.isInThree),
  };
}

/** Returns the times in which beats lie: half a beat around the first and last onset, within the track. */
function soundingSpan(
  envelope: Float32Array,
  { beats }: BeatHypothesis,
  durationSeconds: number,
): [number, number] {
  const half = ((beats.at(-1) ?? 0) - (beats[0] ?? 0)) / Math.max(1, beats.length - 1) / 2;
  const first = envelope.findIndex((value) => value > 0) / ONSET_RATE;
  const last = envelope.findLastIndex((value) => value > 0) / ONSET_RATE;
  return [Math.max(0, first - half), Math.min(durationSeconds, last + half)];
}

/** Returns the probability that the chosen beats are right, from what the hypotheses say about each other. */
function calibrated(probability: number, [slope, offset]: readonly [number, number]): number {
  const odds = Math.log(Math.max(1e-6, probability) / Math.max(1e-6, 1 - probability));
  return 1 / (1 + Math.exp(-(slope * odds + offset)));
}
