import { chromaDistance } from './chroma-distance.ts';
import { oddsNear, onsetNear, type RhythmEvidence } from './rhythm-evidence.ts';
import { BAR_LENGTHS, type BarLength } from './time-signature.ts';

/** Names of the features of a beat, in the order of {@link barFeatures}. */
export const barFeatureNames = [
  'network',
  'any',
  'drum',
  'low',
  'middle',
  'high',
  'harmony',
  'harmonyLong',
] as const;

/** What learned weights say about bars. */
export interface BarWeights {
  /** Means and standard deviations of the features within a song are removed: these are their weights. */
  readonly features: readonly number[];
  readonly bias: number;
  /** Log of how often a bar has 2, 3, 4, 5, 6 and 7 beats: where beats are divided in two, and where in three. */
  readonly lengths: readonly [inTwo: readonly number[], inThree: readonly number[]];
}

/** Bars of one hypothesis: how many beats each has, which beat is the first downbeat, and its score. */
export interface BarPath {
  readonly beatsPerBar: BarLength;
  /** Index of each downbeat. */
  readonly downbeats: readonly number[];
  /** Log-likelihood in relation to the other hypotheses. */
  readonly score: number;
}

/**
 * Returns the features that tell downbeats from other beats: network, accents and changes of harmony, one row a beat.
 *
 * Each column has mean 0 and standard deviation 1 within the track, except that of the network.
 */
export function barFeatures(evidence: RhythmEvidence, beats: readonly number[]): number[][] {
  const { onsets, downbeatOdds, beatOdds, chromaAt } = evidence;
  const chromas = beats.map((beat, index) => chromaAt(beat, beats[index + 1] ?? beat + 0.5));
  const joined = (from: number, to: number): Float32Array => {
    const sum = new Float32Array(12);
    for (let index = Math.max(0, from); index < Math.min(to, chromas.length); index++) {
      const part = chromas[index];
      for (let pitch = 0; pitch < 12; pitch++) sum[pitch] = (sum[pitch] ?? 0) + (part?.[pitch] ?? 0);
    }
    return sum;
  };
  const columns = [
    beats.map((beat) => oddsNear(downbeatOdds, beat)),
    standardise(beats.map((beat) => oddsNear(beatOdds, beat))),
    ...[onsets.drum, onsets.low, onsets.middle, onsets.high].map((curve) =>
      standardise(beats.map((beat) => onsetNear(curve, beat))),
    ),
    standardise(beats.map((_, index) => chromaDistance(joined(index - 1, index), joined(index, index + 1)))),
    standardise(beats.map((_, index) => chromaDistance(joined(index - 2, index), joined(index, index + 2)))),
  ];
  return beats.map((_, index) => columns.map((column) => column[index] ?? 0));
}

/** Relative deviation below which values count as equal. */
const LEAST_DEVIATION = 0.08;

function standardise(values: readonly number[]): number[] {
  const mean = values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
  const variance = values.reduce((sum, value) => sum + (value - mean) ** 2, 0) / Math.max(1, values.length);
  const deviation = Math.sqrt(variance);
  const differs = deviation > Math.max(1e-9, LEAST_DEVIATION * Math.abs(mean));
  return values.map((value) => (differs ? Math.max(-3, Math.min(3, (value - mean) / deviation)) : 0));
}

/** Returns the log of the ratio of the likelihoods of a downbeat and of another beat, for each beat. */
export function downbeatLogOdds(rows: readonly (readonly number[])[], weights: BarWeights): number[] {
  return rows.map((row) =>
    row.reduce((sum, value, index) => sum + value * (weights.features[index] ?? 0), weights.bias),
  );
}

/** Cost of a bar that is shorter than the others, or begins anew. */
const SLIP_COST = 8;

/**
 * Returns the most probable bars of every length, the most probable first.
 *
 * A state is a position in the bar; the pointer moves by one at each beat, or begins a new bar early at a cost. Downbeats
 * earn the log-likelihood ratio; without evidence all phases are equal and the first beat is a downbeat.
 *
 * @param odds log of the ratio of the likelihoods of a downbeat and of another beat, for each beat
 * @param isInThree whether each beat is divided in three
 */
export function decodeBars(odds: readonly number[], weights: BarWeights, isInThree: boolean): BarPath[] {
  const lengths = weights.lengths[isInThree ? 1 : 0];
  return BAR_LENGTHS.map((beatsPerBar, which) => {
    const { downbeats, score } = bestPhase(odds, beatsPerBar);
    return { beatsPerBar, downbeats, score: score + (lengths[which] ?? 0) };
  }).sort((left, right) => right.score - left.score);
}

function bestPhase(odds: readonly number[], beatsPerBar: number): { downbeats: number[]; score: number } {
  let scores = new Float64Array(beatsPerBar);
  const slips: Int8Array[] = [];
  for (const [index, value] of odds.entries()) {
    const next = new Float64Array(beatsPerBar);
    const from = new Int8Array(beatsPerBar);
    let best = 0;
    for (let position = 1; position < beatsPerBar; position++)
      if ((scores[position] ?? 0) > (scores[best] ?? 0)) best = position;
    for (let position = 0; position < beatsPerBar; position++) {
      const before = (position + beatsPerBar - 1) % beatsPerBar;
      const slipped = position === 0 && index > 0 && (scores[best] ?? 0) - SLIP_COST > (scores[before] ?? 0);
      from[position] = slipped ? best : before;
      next[position] =
        (slipped ? (scores[best] ?? 0) - SLIP_COST : index > 0 ? (scores[before] ?? 0) : -1e-6 * position) +
        (position === 0 ? value : 0);
    }
    scores = next;
    slips.push(from);
  }
  let position = scores.indexOf(Math.max(...scores));
  const score = (scores[position] ?? 0) - Math.log(beatsPerBar);
  const downbeats: number[] = [];
  for (let index = odds.length - 1; index >= 0; index--) {
    if (position === 0) downbeats.push(index);
    position = slips[index]?.[position] ?? 0;
  }
  return { downbeats: downbeats.reverse(), score };
}
