import { alignToOnsets } from './align-beats.ts';
import { type BarPath, barFeatures, decodeBars, downbeatLogOdds } from './bar-path.ts';
import { areSameBeats, beatCandidates, commonPart } from './beat-candidates.ts';
import { beatFeatureNames, beatFeatures } from './beat-features.ts';
import { isDividedInThree } from './beat-level.ts';
import { BEAT_FRAME_RATE } from './beat-network-input.ts';
import { decodeBeats } from './beat-path.ts';
import { frameFeatures, weightedGains } from './frame-gains.ts';
import { ONSET_RATE } from './onset-envelope.ts';
import type { RhythmEvidence } from './rhythm-evidence.ts';
import type { RhythmWeights } from './rhythm-weights.ts';
import { findTempo } from './tempo.ts';

/** Beats and bars that the track may have, with their probability. */
export interface BeatHypothesis {
  /** Seconds, ascending. */
  readonly beats: readonly number[];
  /** Whether each beat is divided in three, as in 6/8. */
  readonly isInThree: boolean;
  /** Bars of all lengths, the most probable first. */
  readonly bars: readonly BarPath[];
  /** Features in the order of {@link hypothesisFeatureNames}. */
  readonly features: readonly number[];
  /** Probability that these are the beats, 0 to 1; those of all hypotheses sum to 1. */
  readonly probability: number;
}

/** Names of the features of a hypothesis. */
export const hypothesisFeatureNames = [
  ...beatFeatureNames,
  'bars',
  'onNetworkPath',
  'onOnsetPath',
  'isNetworkPath',
  'isOnsetPath',
] as const;

/**
 * Returns the beats that a track may have, the most probable first.
 *
 * Two paths are decoded, one with the network and one from the onsets alone, because they err on different songs. Each
 * yields the same beats at other metrical levels and phases. All of them are compared by how well they agree with each
 * kind of evidence; the weights of the evidence are learned.
 */
export function beatHypotheses(evidence: RhythmEvidence, weights: RhythmWeights): BeatHypothesis[] {
  const features = frameFeatures(evidence);
  const found: (readonly number[])[] = [];
  const gains = weights.frames.map((frames) => weightedGains(features, frames.features, frames.bias));
  const paths: (readonly number[])[] = [];
  for (const curve of gains) {
    const path = decodeBeats(curve);
    const beats = alignToOnsets(
      evidence.envelope,
      path.map((frame) => frame / BEAT_FRAME_RATE),
    );
    paths.push(beats);
    for (const candidate of beatCandidates(beats))
      if (!found.some((known) => areSameBeats(known, candidate.beats))) found.push(candidate.beats);
  }
  const tempo = findTempo(evidence.gram, evidence.envelope.length);
  const scored = found.map((beats) => {
    const odds = downbeatLogOdds(barFeatures(evidence, beats), weights.bars);
    const isInThree = isDividedInThree(
      evidence.envelope,
      beats.map((beat) => beat * ONSET_RATE),
    );
    const bars = decodeBars(odds, weights.bars, isInThree);
    const all = [
      ...beatFeatures(evidence, beats, tempo, gains),
      (bars[0]?.score ?? 0) / beats.length,
      ...paths.map((path) => commonPart(path, beats)),
      ...paths.map((path) => Number(areSameBeats(path, beats))),
    ];
    return { beats, bars, isInThree, features: all, probability: 0 };
  });
  return rankHypotheses(scored, weights.beats);
}

/** Returns hypotheses with their probabilities by the weights of their features, the most probable first. */
export function rankHypotheses(
  hypotheses: readonly BeatHypothesis[],
  weights: readonly number[],
): BeatHypothesis[] {
  const scores = hypotheses.map(({ features }) =>
    features.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), 0),
  );
  const largest = Math.max(...scores);
  const total = scores.reduce((sum, score) => sum + Math.exp(score - largest), 0);
  return hypotheses
    .map((hypothesis, index) => ({
      ...hypothesis,
      probability: Math.exp((scores[index] ?? 0) - largest) / total,
    }))
    .sort((left, right) => right.probability - left.probability);
}
