import { BEAT_FRAME_RATE } from './beat-network-input.ts';
import { beatPhaseEvidence } from './beat-phase.ts';
import { chromaDistance } from './chroma-distance.ts';
import { ONSET_RATE } from './onset-envelope.ts';
import { oddsNear, onsetNear, type RhythmEvidence } from './rhythm-evidence.ts';
import { correlationAt } from './tempo.ts';

/** Names of the features, in the order of {@link beatFeatures}. */
export const beatFeatureNames = [
  'networkOn',
  'networkHalf',
  'networkThirds',
  'networkQuarters',
  'networkLead',
  'networkAlternation',
  'drum',
  'low',
  'middle',
  'high',
  'drumAlternation',
  'lowAlternation',
  'middleAlternation',
  'highAlternation',
  'backbeat',
  'networkGain',
  'onsetGain',
  'explained',
  'explainedByHalves',
  'explainedByThirds',
  'harmony',
  'harmonyAlternation',
  'harmonyOn',
  'repetition1',
  'repetition2',
  'repetition3',
  'repetition4',
  'repetition8',
  'repetitionLog',
  'tempo',
  'tempoSquared',
  'slow',
  'fast',
  'networkSteadiness',
  'drumSteadiness',
  'lowSteadiness',
  'middleSteadiness',
  'highSteadiness',
  'harmonySteadiness',
  'tempogram',
  'likelihood',
  'phaseHalf',
  'phaseThird',
  'phaseTwoThirds',
] as const;

/** Length of the windows whose harmony is compared, as a part of the beat, and how late the second one begins. */
const HARMONY_BEATS = 0.9;
const RINGING_SECONDS = 0.07;
/** Largest relative difference of equal tempi. */
const SAME_TEMPO = 0.04;
/** Tempo of which the distance is measured, in bpm. */
const MIDDLE_BPM = 115;

/**
 * Returns how well beats agree with each kind of evidence, one number a feature.
 *
 * They compare what lies on the beats with what lies between them, and even beats with odd ones. Features do not depend
 * on the length or the level of the music.
 *
 * @param beats seconds, ascending, at least two
 * @param tempo tempo in bpm at which the onsets repeat best
 * @param gains log-odds of a beat per frame, with the network and from the onsets alone
 */
export function beatFeatures(
  evidence: RhythmEvidence,
  beats: readonly number[],
  tempo: number,
  gains: readonly Float32Array[],
): number[] {
  const { onsets, envelope, beatOdds, gram, chromaAt } = evidence;
  const network = (part: number): number[] => between(beats, part).map((time) => oddsNear(beatOdds, time));
  const networkOn = network(0);
  const onMean = mean(networkOn);
  const halfMean = mean(network(1 / 2));
  const thirdsMean = (mean(network(1 / 3)) + mean(network(2 / 3))) / 2;
  const quartersMean = (mean(network(1 / 4)) + mean(network(3 / 4))) / 2;
  const curves = [onsets.drum, onsets.low, onsets.middle, onsets.high];
  const strengths = curves.map((curve) => ({
    on: between(beats, 0).map((time) => onsetNear(curve, time)),
    half: between(beats, 1 / 2).map((time) => onsetNear(curve, time)),
  }));
  const total = envelope.reduce((sum, value) => sum + value, 0) / ONSET_RATE;
  const covered = (part: number): number =>
    between(beats, part).reduce((sum, time) => sum + onsetNear(envelope, time), 0);
  const length = Math.max(1e-3, (beats.at(-1) ?? 0) - (beats[0] ?? 0));
  const energyAt = (parts: readonly number[]): number =>
    total > 0 ? (parts.reduce((sum, part) => sum + covered(part), 0) * 0.05) / total : 0;
  const harmonyAt = (time: number, reach: number): number => {
    const late = time + RINGING_SECONDS;
    return chromaDistance(chromaAt(time - reach, time), chromaAt(late, late + reach));
  };
  const changes = (part: number): number[] =>
    between(beats, part).map((time, index) => {
      const reach = HARMONY_BEATS * ((beats[index + 1] ?? 0) - (beats[index] ?? 0));
      return harmonyAt(time, reach) ** 2;
    });
  const [changesOn, changesHalf] = [changes(0), changes(1 / 2)];
  const period = (length * ONSET_RATE) / (beats.length - 1);
  const octaves = Math.log2((60 * ONSET_RATE) / period / MIDDLE_BPM);
  return [
    onMean,
    halfMean,
    thirdsMean,
    quartersMean,
    onMean - Math.max(halfMean, thirdsMean),
    Math.abs(alternation(networkOn.map((odds) => odds + 6))),
    ...strengths.map(({ on, half }) => contrast(on, half)),
    ...strengths.map(({ on }) => Math.abs(alternation(on))),
    // Bass drums and snare drums alternate in most music with drums.
    -alternation(strengths[0]?.on ?? []) * alternation(strengths[3]?.on ?? []),
    ...[0, 1].map((which) => {
      const curve = gains[which] ?? beatOdds;
      const sum = beats.reduce((total, time) => total + oddsNear(curve, time), 0);
      return sum / length;
    }),
    energyAt([0]),
    energyAt([0, 1 / 2]),
    energyAt([0, 1 / 3, 2 / 3]),
    contrast(changesOn, changesHalf, 0.05),
    Math.abs(alternation(changesOn, 0.05)),
    mean(changesOn),
    ...[1, 2, 3, 4, 8].map((multiple) => correlationAt(gram.mean, multiple * period)),
    Math.log(
      Math.max(0.01, mean([1, 2, 4, 8].map((multiple) => correlationAt(gram.mean, multiple * period)))),
    ),
    octaves,
    octaves * octaves,
    Math.max(0, -octaves - 0.6),
    Math.max(0, octaves - 0.6),
    steadiness(networkOn, network(1 / 2)),
    ...strengths.map(({ on, half }) => steadiness(on, half)),
    steadiness(changesOn, changesHalf),
    Number(tempo > 0 && Math.abs((60 * ONSET_RATE) / period / tempo - 1) < SAME_TEMPO),
    likelihood(beatOdds, beats),
    ...[1 / 2, 1 / 3, 2 / 3].map((part) =>
      beatPhaseEvidence(
        onsets,
        beats.map((beat) => beat * ONSET_RATE),
        part,
        (from, to) => chromaAt(from / ONSET_RATE, to / ONSET_RATE),
      ),
    ),
  ];
}

/** Returns the log-likelihood of the network per second if frames within 30 ms of a beat are beats and others are not. */
function likelihood(odds: Float32Array, beats: readonly number[]): number {
  const first = beats[0] ?? 0;
  const last = beats.at(-1) ?? 0;
  let sum = 0;
  let next = 0;
  for (let frame = Math.round(first * BEAT_FRAME_RATE); frame <= last * BEAT_FRAME_RATE; frame++) {
    const time = frame / BEAT_FRAME_RATE;
    while ((beats[next] ?? Infinity) < time - NEAR_SECONDS) next++;
    const value = odds[frame] ?? 0;
    const isNear = (beats[next] ?? Infinity) <= time + NEAR_SECONDS;
    sum -= Math.log1p(Math.exp(isNear ? -value : value));
  }
  return sum / Math.max(1e-3, last - first);
}
const NEAR_SECONDS = 0.0301;

/** Returns the difference of the means in relation to the standard deviation of both together, −2 to 2. */
function steadiness(on: readonly number[], half: readonly number[]): number {
  const all = [...on, ...half];
  const middle = mean(all);
  const deviation = Math.sqrt(mean(all.map((value) => (value - middle) ** 2)));
  return deviation > 1e-4 ? (mean(on) - mean(half)) / deviation : 0;
}

/** Returns the times at a part (0 to 1) of each interval between beats. */
function between(beats: readonly number[], part: number): number[] {
  return beats.slice(1).map((beat, index) => (1 - part) * (beats[index] ?? 0) + part * beat);
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}

/** Returns (on − off) / (on + off), −1 to 1; smaller where both have a mean below `least`. */
function contrast(on: readonly number[], off: readonly number[], least = 1e-4): number {
  const [one, two] = [mean(on), mean(off)];
  return (one - two) / Math.max(one + two, 2 * least);
}

/** Returns the contrast of even and odd values, −1 to 1. */
function alternation(values: readonly number[], least = 1e-4): number {
  return contrast(
    values.filter((_, index) => index % 2 === 0),
    values.filter((_, index) => index % 2 === 1),
    least,
  );
}
