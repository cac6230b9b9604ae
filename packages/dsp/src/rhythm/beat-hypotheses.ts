import { decodeActivations } from './activation-path.ts';
import { alignToOnsets } from './align-beats.ts';
import { type BarPath, barFeatures, decodeBars, downbeatLogOdds } from './bar-path.ts';
import { areSameBeats, beatCandidates, commonPart } from './beat-candidates.ts';
import { beatFeatureNames, beatFeatures } from './beat-features.ts';
import { isDividedInThree } from './beat-level.ts';
import { BEAT_FRAME_RATE } from './beat-network-input.ts';
import { decodeBeats } from './beat-path.ts';
import { createChangePrior } from './change-prior.ts';
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
  /** Whether these are the beats found without the network. */
  readonly isTracked: boolean;
  /** Log-probability before the evidence, up to a constant. */
  readonly prior: number;
  /** Probability that these are the beats, 0 to 1; those of all hypotheses sum to 1. */
  readonly probability: number;
}

/** Names of the features of a hypothesis. */
export const hypothesisFeatureNames = [
  ...beatFeatureNames,
  'bars',
  'onTracked',
  'onNetworkPath',
  'onOnsetPath',
  'onActivationPath',
  'isTracked',
  'isNetworkPath',
  'isOnsetPath',
  'isActivationPath',
  'isInThree',
] as const;

/**
 * Returns the beats that a track may have, the most probable first.
 *
 * Besides the tracked beats, three paths are decoded: of the network with the onsets, of the onsets alone, and of the
 * network alone. They err on different songs. Each yields the same beats at other metrical levels and phases. All of them
 * are compared by how well they agree with each kind of evidence; the weights of the evidence are learned.
 *
 * Which level listeners count is a matter of habit, which invented songs cannot teach. So there is a prior for the tracked
 * beats (`change-prior.ts`).
 *
 * @param tracked beats found without the network, in seconds
 */
export function beatHypotheses(
  evidence: RhythmEvidence,
  weights: RhythmWeights,
  tracked: readonly number[],
): BeatHypothesis[] {
  const features = frameFeatures(evidence);
  const gains = weights.frames.map((frames) => weightedGains(features, frames.features, frames.bias));
  const paths = [
    tracked,
    ...[...gains.map(decodeBeats), decodeActivations(evidence.beatOdds)].map((path) =>
      alignToOnsets(
        evidence.envelope,
        path.map((frame) => frame / BEAT_FRAME_RATE),
      ),
    ),
  ];
  const found: (readonly number[])[] = [];
  for (const { beats } of paths.flatMap(beatCandidates))
    if (!found.some((known) => areSameBeats(known, beats))) found.push(beats);
  const priorOfChange = createChangePrior(evidence, tracked);
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
      Number(isInThree),
    ];
    const isTracked = areSameBeats(tracked, beats);
    const prior = isTracked ? 0 : priorOfChange(beats);
    return { beats, bars, isInThree, features: all, isTracked, prior, probability: 0 };
  });
  return rankHypotheses(scored, weights.beats);
}

/** Returns hypotheses with their probabilities by the weights of their features, the most probable first. */
export function rankHypotheses(
  hypotheses: readonly BeatHypothesis[],
  weights: readonly number[],
): BeatHypothesis[] {
  const scores = hypotheses.map(({ features, prior }) =>
    features.reduce((sum, value, index) => sum + value * (weights[index] ?? 0), prior),
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
