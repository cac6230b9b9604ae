import { ONSET_RATE } from './onset-envelope.ts';
import type { Tempogram } from './tempogram.ts';

/** Number of lags that `findTempo` needs in a tempogram. */
export const TEMPO_LAG_COUNT = 512;

const MIN_BPM = 40;
const MAX_BPM = 240;
const STEP = 1.002;
/** Tempo that people prefer for the beat, and the width of the preference in octaves. */
const PREFERRED_BPM = 130;
const PREFERENCE_OCTAVES = 1.1;
/** Multiples of the beat at which repetition is measured: beat, two beats, and one and two bars in duple time. */
const MULTIPLES = [1, 2, 4, 8];
/**
 * Largest cost of a period without repetition of its own, and the fraction of the repetition at its multiples below
 * which the cost begins.
 */
const EMPTY_COST = 0.5;
const EMPTY_FRACTION = 0.15;
/** Repetition by chance over n hops is about this over √n. */
const CHANCE = 3;

/**
 * Returns the tempo at which an onset curve repeats best.
 *
 * The score is the autocorrelation at one, two, four and eight beats, weighted by a log-normal preference for tempi
 * around 130 bpm that decides between octaves.
 *
 * @param gram tempogram with `TEMPO_LAG_COUNT` lags
 * @param hopCount length of the onset curve, which determines the repetition expected by chance
 * @returns beats per minute, within 0.2 %; 0 without repetition
 * @see McKinney and Moelants, "Ambiguity in tempo perception: what draws listeners to different metrical levels?",
 *   Music Perception 24, 2006
 * @see Ellis, "Beat tracking by dynamic programming", J. New Music Research 36, 2007, section 3
 */
export function findTempo(gram: Tempogram, hopCount: number): number {
  let best = { bpm: 0, score: 0, repetition: 0 };
  for (let bpm = MIN_BPM; bpm <= MAX_BPM; bpm *= STEP) {
    const period = (60 * ONSET_RATE) / bpm;
    const repetition = combRepetition(gram.mean, period);
    const score = repetition * preferenceOf(bpm) * levelFactor(gram.mean, period, repetition);
    if (score > best.score) best = { bpm, score, repetition };
  }
  const chance = CHANCE / Math.sqrt(Math.max(1, hopCount));
  return best.repetition <= chance ? 0 : best.bpm;
}

/**
 * Returns the period in hops around each row of a tempogram.
 *
 * It is the path through all rows with the most repetition and the least change, within half an octave of the tempo of
 * the track.
 *
 * @returns one period per row
 * @see Wu, Lee, Jang, Chang, Lu and Wang, "A two-fold dynamic programming approach to beat tracking for audio music
 *   with time-varying tempo", ISMIR 2011
 */
export function localPeriods(gram: Tempogram, bpm: number): Float32Array {
  const states = 101;
  const middle = (states - 1) / 2;
  const centre = (60 * ONSET_RATE) / bpm;
  const periods = Float64Array.from(
    { length: states },
    (_, state) => centre * 2 ** ((state - middle) / states),
  );
  let score = new Float64Array(states);
  const from: Int8Array[] = [];
  gram.rows.forEach((row, index) => {
    const next = new Float64Array(states);
    const origin = new Int8Array(states);
    for (let state = 0; state < states; state++) {
      let best = -Infinity;
      for (let old = Math.max(0, state - REACH); old <= Math.min(states - 1, state + REACH); old++) {
        const value = (score[old] ?? 0) - CHANGE_COST * Math.abs(state - old);
        if (value > best) {
          best = value;
          origin[state] = old;
        }
      }
      if (index === 0) best = 0;
      next[state] = best + combRepetition(row, periods[state] ?? centre);
    }
    score = next;
    from.push(origin);
  });
  const path = new Float32Array(gram.rows.length);
  let state = score.indexOf(Math.max(...score));
  for (let index = path.length - 1; index >= 0; index--) {
    path[index] = periods[state] ?? centre;
    state = from[index]?.[state] ?? state;
  }
  return path;
}

/** Largest change of tempo between rows in steps of 0.7 %, and the cost of each step. */
const REACH = 30;
const CHANGE_COST = 0.02;

/**
 * Returns the confidence in a detected tempo, 0 to 1.
 *
 * It is high with much repetition at that tempo and little evidence for other metrical levels (half, double and
 * divisions by three). Of the tempi with confidence 0.8 four of five are right; the relation was fitted to the songs of
 * `bench/analysis-accuracy/invented`.
 *
 * @param periods one per row, from {@link localPeriods} of `trackedBpm`
 * @param bpm final tempo
 * @see McKinney and Moelants, as above, for how often listeners disagree about the level
 */
export function trustTempo(gram: Tempogram, periods: Float32Array, trackedBpm: number, bpm: number): number {
  // For a varying tempo the mean tempo is not exactly at a level of the tracked one.
  const level = LEVELS.reduce((best, factor) => {
    const deviation = (one: number): number => Math.abs(Math.log2(bpm / (trackedBpm * one)));
    return deviation(factor) < deviation(best) ? factor : best;
  }, 1);
  const meanOver = (factor: number, valueOf: (row: Float32Array, period: number) => number): number => {
    const scale = 1 / (level * factor);
    const sum = gram.rows.reduce((all, row, at) => all + valueOf(row, (periods[at] ?? 1) * scale), 0);
    return sum / Math.max(1, gram.rows.length);
  };
  const worthAt = (factor: number): number =>
    preferenceOf(bpm * factor) *
    meanOver(factor, (row, period) => {
      const repetition = combRepetition(row, period);
      return repetition * levelFactor(row, period, repetition);
    });
  const repetition = meanOver(1, combRepetition);
  const worth = worthAt(1);
  if (repetition <= 0 || worth <= 0) return 0;
  const rivals = LEVELS.filter(
    (factor) => factor !== 1 && bpm * factor >= MIN_BPM && bpm * factor <= MAX_BPM,
  );
  const rival = Math.max(0, ...rivals.map(worthAt)) / worth;
  const certainty = Math.max(LEAST_CERTAINTY, MOST_CERTAINTY - DOUBT * Math.max(0, rival - CLEAR_RIVAL));
  return certainty * Math.min(1, repetition / FULL_REPETITION);
}
/** Metrical levels at which the same music may be counted, relative to the beat. */
const LEVELS = [1, 1 / 3, 1 / 2, 2 / 3, 3 / 2, 2, 3];
/** Repetition from which a pulse is certain. */
const FULL_REPETITION = 0.3;
/** Largest confidence, least confidence with strong rivals, relative score from which a rival counts, and its cost. */
const MOST_CERTAINTY = 0.97;
const LEAST_CERTAINTY = 0.5;
const CLEAR_RIVAL = 0.75;
const DOUBT = 1.1;

/** Returns the preference of people for counting at a tempo, 0 to 1. */
function preferenceOf(bpm: number): number {
  return Math.exp(-0.5 * (Math.log2(bpm / PREFERRED_BPM) / PREFERENCE_OCTAVES) ** 2);
}

/** Returns a factor below 1 for a period that repeats only at its multiples: the beat is slower. */
function levelFactor(correlation: Float32Array, periodHops: number, repetition: number): number {
  if (repetition <= 0) return 1;
  const itself = Math.min(
    1,
    Math.max(0, correlationAt(correlation, periodHops)) / (EMPTY_FRACTION * repetition),
  );
  return 1 - EMPTY_COST * (1 - itself);
}

/** Returns the autocorrelation at a fractional lag; 0 beyond the last one. */
export function correlationAt(correlation: Float32Array, lag: number): number {
  const low = Math.floor(lag);
  if (low + 1 >= correlation.length) return 0;
  return (correlation[low] ?? 0) * (low + 1 - lag) + (correlation[low + 1] ?? 0) * (lag - low);
}

function combRepetition(correlation: Float32Array, periodHops: number): number {
  let sum = 0;
  let count = 0;
  for (const multiple of MULTIPLES) {
    const lag = multiple * periodHops;
    if (lag + 1 >= correlation.length) break;
    sum += correlationAt(correlation, lag);
    count++;
  }
  return count === 0 ? 0 : sum / count;
}
