// `node training/fit-rhythm-weights.ts CACHE [WEIGHTS]` learns the weights of the evidence for beats and bars from
// songs that `measure-rhythm.ts` has measured, and writes them to `packages/dsp/src/rhythm/rhythm-weights.ts`.
// `--report CACHE` only measures the present weights. Only songs of the learning seeds belong into the first form.
import { globSync, readFileSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { deserialize } from 'node:v8';
import { beatF } from '../bench/analysis-accuracy/beat-score.ts';
import {
  type BarWeights,
  barFeatures,
  decodeBars,
  downbeatLogOdds,
} from '../packages/dsp/src/rhythm/bar-path.ts';
import {
  type BeatHypothesis,
  beatHypotheses,
  hypothesisFeatureNames,
  rankHypotheses,
} from '../packages/dsp/src/rhythm/beat-hypotheses.ts';
import { isDividedInThree } from '../packages/dsp/src/rhythm/beat-level.ts';
import type { BeatActivations } from '../packages/dsp/src/rhythm/beat-network.ts';
import { logOdds } from '../packages/dsp/src/rhythm/decoded-rhythm.ts';
import { frameFeatures } from '../packages/dsp/src/rhythm/frame-gains.ts';
import { ONSET_RATE, type OnsetStrength } from '../packages/dsp/src/rhythm/onset-envelope.ts';
import { type RhythmEvidence, rhythmEvidence } from '../packages/dsp/src/rhythm/rhythm-evidence.ts';
import { type RhythmWeights, rhythmWeights } from '../packages/dsp/src/rhythm/rhythm-weights.ts';
import { BAR_LENGTHS, timeSignatureOf } from '../packages/dsp/src/rhythm/time-signature.ts';
import { trackRhythm } from '../packages/dsp/src/rhythm/track-rhythm.ts';
import { createChromaSums } from '../packages/dsp/src/tonal/chroma-sums.ts';
import { loadFft } from '../packages/dsp/src/transform/fft.ts';
import { conditionalLogit, logistic } from './logistic.ts';

interface Song {
  readonly name: string;
  readonly genre: string;
  readonly evidence: RhythmEvidence;
  readonly beats: readonly number[];
  readonly downbeats: readonly number[];
  readonly isAmbiguous: boolean;
  readonly beatsPerBar: number;
  readonly metre: string;
}

function readSongs(cache: string): Song[] {
  return globSync('*.bin', { cwd: cache })
    .sort()
    .map((file) => {
      const stored = deserialize(readFileSync(path.join(cache, file))) as {
        onsets: OnsetStrength;
        activations: BeatActivations;
        chroma: Float32Array[];
        durationSeconds: number;
        name: string;
        song: {
          genre: string;
          beats: [number, number][];
          isAmbiguous: boolean;
          beatsPerBar: number;
          metre: string;
        } | null;
      };
      const { onsets, activations, durationSeconds, song, name } = stored;
      const beats = song?.beats ?? [];
      return {
        name,
        genre: song?.genre ?? '',
        evidence: rhythmEvidence(onsets, activations, durationSeconds, createChromaSums(stored.chroma)),
        beats: beats.map(([time]) => time),
        downbeats: beats.flatMap(([time, position]) => (position === 1 ? [time] : [])),
        isAmbiguous: song?.isAmbiguous ?? false,
        beatsPerBar: song?.beatsPerBar ?? 0,
        metre: song?.metre ?? '',
      };
    });
}

/** Learns the log-odds of a beat at a frame: frames within 30 ms of a beat against those far from one. */
function fitFrames(songs: readonly Song[], without: readonly number[]): { features: number[]; bias: number } {
  const rows: number[][] = [];
  const labels: number[] = [];
  for (const { evidence, beats } of songs) {
    const features = frameFeatures(evidence);
    const [first, last] = [beats[0] ?? 0, beats.at(-1) ?? 0];
    let at = 0;
    const count = features[0]?.length ?? 0;
    for (let frame = 0; frame < count; frame++) {
      const time = frame / 50;
      if (time < first - 0.5 || time > last + 0.5) continue;
      while (
        at + 1 < beats.length &&
        Math.abs((beats[at + 1] ?? 0) - time) < Math.abs((beats[at] ?? 0) - time)
      )
        at++;
      const distance = Math.abs((beats[at] ?? 0) - time);
      if (distance > 0.0101 && distance < 0.0501) continue;
      rows.push(features.map((feature, index) => (without.includes(index) ? 0 : (feature[frame] ?? 0))));
      labels.push(distance <= 0.0101 ? 1 : 0);
    }
  }
  const { weights, bias } = logistic(rows, labels);
  // The path needs likelihoods, not probabilities: how many frames are beats is a matter of the tempo.
  const count = labels.reduce((sum, label) => sum + label, 0);
  return { features: weights, bias: bias - Math.log(count / (labels.length - count)) };
}

function fitBars(songs: readonly Song[]): BarWeights {
  const rows: number[][] = [];
  const labels: number[] = [];
  const counts = [BAR_LENGTHS.map(() => 1), BAR_LENGTHS.map(() => 1)] as const;
  for (const { evidence, beats, downbeats, beatsPerBar } of songs) {
    const known = new Set(downbeats);
    barFeatures(evidence, beats).forEach((row, index) => {
      rows.push(row);
      labels.push(known.has(beats[index] ?? 0) ? 1 : 0);
    });
    const which = BAR_LENGTHS.findIndex((length) => length === beatsPerBar);
    const row = counts[isInThree(evidence, beats) ? 1 : 0];
    row[which] = (row[which] ?? 0) + 1;
  }
  const { weights, bias } = logistic(rows, labels);
  const logs = (row: readonly number[]): number[] => {
    const total = row.reduce((sum, count) => sum + count, 0);
    return row.map((count) => Math.log(count / total));
  };
  // As for frames, likelihoods are needed: how many beats are downbeats is a matter of the metre.
  const downbeatCount = labels.reduce((sum, label) => sum + label, 0);
  const prior = Math.log(downbeatCount / (labels.length - downbeatCount));
  return { features: weights, bias: bias - prior, lengths: [logs(counts[0]), logs(counts[1])] };
}

const RIGHT = 0.8;

function isRight(song: Song, beats: readonly number[]): boolean {
  return beatF(song.beats, beats) >= RIGHT || (song.isAmbiguous && ambiguousF(song.beats, beats) >= RIGHT);
}

/** F of the beats at the same, half or double tempo, whichever is best. */
function ambiguousF(truth: readonly number[], beats: readonly number[]): number {
  const even = (of: readonly number[], first: number): number[] => of.filter((_, i) => i % 2 === first);
  const doubled = truth.flatMap((beat, i) => {
    const next = truth[i + 1];
    return next === undefined ? [beat] : [beat, (beat + next) / 2];
  });
  return Math.max(...[doubled, even(truth, 0), even(truth, 1)].map((other) => beatF(other, beats)));
}

function isInThree({ envelope }: RhythmEvidence, beats: readonly number[]): boolean {
  return isDividedInThree(
    envelope,
    beats.map((beat) => beat * ONSET_RATE),
  );
}

/**
 * Learns how much the evidence of all beats together counts against the frequency of a metre. Beats are no independent
 * evidence: a wrong accent returns in every bar.
 */
function scaleBars(songs: readonly Song[], bars: BarWeights): BarWeights {
  const none = BAR_LENGTHS.map(() => 0);
  const cases = songs.map(({ evidence, beats, beatsPerBar }) => {
    const inThree = isInThree(evidence, beats);
    const odds = downbeatLogOdds(barFeatures(evidence, beats), bars);
    const paths = decodeBars(odds, { ...bars, lengths: [none, none] }, inThree);
    return {
      rows: paths.map((path) => [
        path.score,
        bars.lengths[inThree ? 1 : 0][BAR_LENGTHS.indexOf(path.beatsPerBar)] ?? 0,
      ]),
      right: paths.map((path) => path.beatsPerBar === beatsPerBar),
    };
  });
  const [evidenceWeight = 1, lengthWeight = 1] = conditionalLogit(cases);
  process.stdout.write(`bars: evidence ${evidenceWeight.toFixed(3)}, lengths ${lengthWeight.toFixed(3)}\n`);
  const scaled = (row: readonly number[]): number[] => row.map((value) => value * lengthWeight);
  return {
    features: bars.features.map((weight) => weight * evidenceWeight),
    bias: bars.bias * evidenceWeight,
    lengths: [scaled(bars.lengths[0]), scaled(bars.lengths[1])],
  };
}

/** A song with its hypotheses, which do not depend on the weights of the ranking. */
interface Prepared {
  readonly song: Song;
  readonly trackedConfidence: number;
  readonly hypotheses: readonly BeatHypothesis[];
  readonly right: readonly boolean[];
}

function prepare(songs: readonly Song[], weights: RhythmWeights): Prepared[] {
  return songs.map((song) => {
    const { onsets, durationSeconds, chromaAt } = song.evidence;
    const tracked = trackRhythm(onsets, durationSeconds, chromaAt);
    const hypotheses = beatHypotheses(song.evidence, weights, tracked.beats);
    return {
      song,
      trackedConfidence: tracked.confidence,
      hypotheses,
      right: hypotheses.map(({ beats }) => isRight(song, beats)),
    };
  });
}

function fitRanking(songs: readonly Prepared[], decay: number): number[] {
  const cases = songs.flatMap(({ hypotheses, right }) =>
    right.includes(true) ? [{ rows: hypotheses.map(({ features }) => features), right }] : [],
  );
  return conditionalLogit(cases, decay);
}

/** What the weights choose for a song. */
interface Outcome {
  readonly song: Song;
  readonly beatF: number;
  readonly downbeatF: number;
  readonly isRight: boolean;
  readonly isPossible: boolean;
  readonly isMetreRight: boolean;
  readonly probability: number;
  readonly trackedConfidence: number;
  readonly line: string;
}

function outcomesOf(songs: readonly Prepared[], weights: readonly number[]): Outcome[] {
  return songs.map(({ song, trackedConfidence, hypotheses: unsorted }) => {
    const hypotheses = rankHypotheses(unsorted, weights);
    const [top] = hypotheses;
    const bars = top?.bars[0];
    const beats = top?.beats ?? [];
    const bpm = (of: readonly number[]): string =>
      ((60 * (of.length - 1)) / ((of.at(-1) ?? 1) - (of[0] ?? 0))).toFixed(0);
    const signature = timeSignatureOf(bars?.beatsPerBar ?? 4, top?.isInThree ?? false);
    const best = Math.max(...hypotheses.map((hypothesis) => beatF(song.beats, hypothesis.beats)));
    const outcome = {
      song,
      beatF: beatF(song.beats, beats),
      downbeatF: beatF(
        song.downbeats,
        (bars?.downbeats ?? []).map((index) => beats[index] ?? 0),
      ),
      isRight: isRight(song, beats),
      isPossible: hypotheses.some((hypothesis) => isRight(song, hypothesis.beats)),
      isMetreRight: signature === song.metre,
      probability: top?.probability ?? 0,
      trackedConfidence,
    };
    const line = `  ${song.name} ${song.genre}: F ${outcome.beatF.toFixed(2)} (best ${best.toFixed(2)}) downbeats ${outcome.downbeatF.toFixed(2)}, ${song.metre} found ${signature}, ${bpm(song.beats)} found ${bpm(beats)}, p ${outcome.probability.toFixed(2)}${song.isAmbiguous ? ', ambiguous' : ''}`;
    return { ...outcome, line };
  });
}

function summarise(name: string, outcomes: readonly Outcome[], isVerbose: boolean): void {
  const mean = (of: (outcome: Outcome) => number): string =>
    (outcomes.reduce((sum, outcome) => sum + of(outcome), 0) / outcomes.length).toFixed(3);
  if (isVerbose) for (const { line } of outcomes) process.stdout.write(`${line}\n`);
  process.stdout.write(
    `${name} (n = ${outcomes.length}): beat F ${mean((one) => one.beatF)}, right ${mean((one) => Number(one.isRight))} of possible ${mean((one) => Number(one.isPossible))}, downbeat F ${mean((one) => one.downbeatF)}, metre ${mean((one) => Number(one.isMetreRight))}, log-likelihood ${mean(({ isRight, probability }) => Math.log(Math.max(1e-4, isRight ? probability : 1 - probability)))}\n`,
  );
}

function report(name: string, songs: readonly Song[], weights: RhythmWeights): void {
  summarise(name, outcomesOf(prepare(songs, weights), weights.beats), true);
}

/** Learns how often beats of a probability are right, from songs that the other weights were not learned from. */
function fitConfidence(outcomes: readonly Outcome[]): [number, number, number] {
  const { weights, bias } = logistic(
    outcomes.map(({ probability, trackedConfidence }) => [logOdds(probability), trackedConfidence]),
    outcomes.map(({ isRight }) => Number(isRight)),
  );
  return [weights[0] ?? 1, weights[1] ?? 0, bias];
}

/** Returns the module with the weights, as it is stored. */
function moduleOf(weights: RhythmWeights, songCount: number): string {
  const source = readFileSync(weightsModule, 'utf8');
  const rounded = JSON.stringify(
    weights,
    (_, value: unknown) => (typeof value === 'number' ? Number(value.toPrecision(5)) : value),
    2,
  ).replaceAll(/"(\w+)":/g, '$1:');
  const start = source.indexOf('/** Weights learned by');
  return `${source.slice(0, start)}/** Weights learned by \`training/fit-rhythm-weights.ts\` from ${songCount} songs: do not edit. */
export const rhythmWeights: RhythmWeights = ${rounded};
`;
}

const weightsModule = new URL('../packages/dsp/src/rhythm/rhythm-weights.ts', import.meta.url);
const FOLDS = 4;
/**
 * Strength of the preference for small weights of the ranking. On held out songs, 10 and 30 are right equally often and
 * 100 less often; the larger one trusts the songs less.
 */
const DECAY = 30;

/** Returns what is chosen for each song by weights that were learned from the others. */
function heldOut(songs: readonly Prepared[], decay: number): Outcome[] {
  return Array.from({ length: FOLDS }, (_, fold) => {
    // Songs of one genre are far apart, so that each fold has all of them.
    const isHeld = (index: number): boolean => Math.floor(index / 3) % FOLDS === fold;
    const weights = fitRanking(
      songs.filter((_, index) => !isHeld(index)),
      decay,
    );
    return outcomesOf(
      songs.filter((_, index) => isHeld(index)),
      weights,
    );
  }).flat();
}

if (import.meta.main) {
  await loadFft();
  const [first = '', second = ''] = process.argv.slice(2);
  if (first === '--report') report(second, readSongs(second), rhythmWeights);
  else {
    const songs = readSongs(first);
    const base = {
      frames: [fitFrames(songs, []), fitFrames(songs, [0])],
      bars: scaleBars(songs, fitBars(songs)),
      beats: hypothesisFeatureNames.map(() => 0),
      confidence: [1, 0, 0] as [number, number, number],
    };
    const prepared = prepare(songs, base);
    const outcomes = heldOut(prepared, DECAY);
    summarise('held out', outcomes, true);
    const weights = {
      ...base,
      beats: fitRanking(prepared, DECAY),
      confidence: fitConfidence(outcomes),
    };
    summarise('learned', outcomesOf(prepared, weights.beats), false);
    for (const [index, name] of hypothesisFeatureNames.entries())
      process.stdout.write(`${name} ${weights.beats[index]?.toFixed(3)}\n`);
    if (second === '--write') writeFileSync(weightsModule, moduleOf(weights, songs.length));
    else if (second) writeFileSync(second, JSON.stringify(weights));
  }
}
