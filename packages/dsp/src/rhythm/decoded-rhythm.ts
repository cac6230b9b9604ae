import { type BeatHypothesis, beatHypotheses } from './beat-hypotheses.ts';
import type { ChromaBetween } from './beat-phase.ts';
import { findBars } from './downbeats.ts';
import { measureTempo } from './measured-tempo.ts';
import { ONSET_RATE } from './onset-envelope.ts';
import { noPulse, type Rhythm } from './rhythm.ts';
import { rhythmAlternatives } from './rhythm-alternatives.ts';
import type { RhythmEvidence } from './rhythm-evidence.ts';
import type { RhythmWeights } from './rhythm-weights.ts';
import { trackRhythm } from './track-rhythm.ts';

/** Fewest beats of a pulse. */
const LEAST_BEATS = 4;

/**
 * Returns the most probable rhythm, by the beat network and all other evidence.
 *
 * onsets → tracked rhythm; network and onsets → log-odds of a beat per frame → paths of a bar pointer; these and the
 * tracked beats at other levels and phases → the most probable by learned weights of the evidence → bars. `loadFft` must
 * have finished.
 *
 * @returns {@link noPulse} for silence, a single click, noise, and audio of fewer than four beats
 * @spec Tempo and beats
 */
export function decodeRhythm(evidence: RhythmEvidence, weights: RhythmWeights): Rhythm {
  const { onsets, durationSeconds, chromaAt } = evidence;
  const tracked = trackRhythm(onsets, durationSeconds, chromaAt);
  if (tracked.bpm === 0) return noPulse;
  const hypotheses = beatHypotheses(evidence, weights, tracked.beats);
  const [best] = hypotheses;
  if (!best) return tracked;
  const rhythm = best.isTracked ? tracked : rhythmOf(evidence, best);
  return {
    ...rhythm,
    confidence: rhythm.bpm === 0 ? 0 : confidenceOf(best.probability, tracked.confidence, weights.confidence),
    alternatives: rhythmAlternatives(hypotheses, rhythm.beatsPerBar),
  };
}

/** Returns the rhythm of beats, with their bars. */
function rhythmOf(evidence: RhythmEvidence, best: BeatHypothesis): Rhythm {
  const { onsets, envelope, durationSeconds, chromaAt } = evidence;
  const [first, last] = soundingSpan(envelope, best, durationSeconds);
  const beats = best.beats.filter((beat) => beat >= first && beat <= last);
  if (beats.length < LEAST_BEATS) return noPulse;
  const chromaBetween: ChromaBetween = (from, to) => chromaAt(from / ONSET_RATE, to / ONSET_RATE);
  const { beatsPerBar, firstDownbeat } = findBars(
    onsets,
    beats.map((beat) => beat * ONSET_RATE),
    best.isInThree,
    chromaBetween,
  );
  return {
    ...measureTempo(beats),
    confidence: 0,
    beats,
    downbeats: beats.filter((_, index) => index % beatsPerBar === firstDownbeat),
    beatsPerBar,
    timeSignature: beatsPerBar === 2 ? '6/8' : `${beatsPerBar}/4`,
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

/** Part of the confidence that is learned; the rest is that of the tracked tempo. */
const LEARNED_PART = 0.75;

/**
 * Returns the probability that the chosen beats are right.
 *
 * It is a logarithmic pool of two: one learned from songs many of which are meant to mislead, and `trustTempo`, which
 * was fitted to songs that do not.
 *
 * @see Genest and Zidek, "Combining probability distributions: a critique and an annotated bibliography", Statistical
 *   Science 1, 1986
 */
function confidenceOf(
  probability: number,
  trackedConfidence: number,
  [byProbability, byTracked, offset]: RhythmWeights['confidence'],
): number {
  const learned = byProbability * logOdds(probability) + byTracked * trackedConfidence + offset;
  return 1 / (1 + Math.exp(-(LEARNED_PART * learned + (1 - LEARNED_PART) * logOdds(trackedConfidence))));
}

/** Returns the log-odds of a probability, limited to that of one in a million. */
export function logOdds(probability: number): number {
  return Math.log(Math.max(1e-6, probability) / Math.max(1e-6, 1 - probability));
}
