import { BEAT_FRAME_RATE } from './beat-network-input.ts';

/** Slowest tempo that is decoded, in bpm. */
export const MIN_BPM = 40;
/** Fastest tempo that is decoded, in bpm. */
export const MAX_BPM = 250;
/** Relative distance and number of the tempi. */
const TEMPO_STEP = 0.02;
const TEMPO_COUNT = Math.round(Math.log(MAX_BPM / MIN_BPM) / TEMPO_STEP) + 1;
/** Cost of a change of tempo per beat and step, as in the paper (100 for each doubling of the period). */
const CHANGE_COST = 2;
/** Largest cost of a change of tempo: a sudden step. */
const JUMP_COST = 14;
/** Deviation of a beat from the period, in frames, at which the cost is one half. */
const JITTER_FRAMES = 1;
/** Largest deviation that is tried. */
const REACH = 2;

/**
 * Returns the most probable beats for a bar pointer that moves through the beat at one of 93 tempi.
 *
 * A state is a beat at a frame with a tempo. Between beats the pointer only moves, so that the frames between need no
 * states: a beat follows another after about one period, deviations and changes of tempo have a cost, and each beat
 * earns the log-odds of a beat at its frame.
 *
 * @param gains log-odds of a beat for each frame of 20 ms
 * @returns frames, ascending, from the first to the last period of the track; empty for less than two seconds
 * @see Krebs, Böck and Widmer, "An efficient state-space model for joint tempo and meter tracking", ISMIR 2015
 */
export function decodeBeats(gains: Float32Array): number[] {
  const count = gains.length;
  if (count < 2 * BEAT_FRAME_RATE) return [];
  const periods = tempoPeriods();
  const tempi = periods.length;
  const ring = Math.ceil(periods[0] ?? 1) + REACH + 1;
  /** Best score of a beat at a frame whose successor has a tempo, for the latest frames. */
  const onward = new Float32Array(ring * tempi);
  const score = new Float32Array(tempi);
  const origins = new Uint8Array(count * tempi);
  const intervals = new Uint8Array(count * tempi);
  const shortest = Int32Array.from(periods, (period) => Math.round(period) - REACH);
  const costs = deviationCosts(periods);
  let end = { score: -Infinity, frame: 0, tempo: 0 };
  for (let frame = 0; frame < count; frame++) {
    const gain = gains[frame]!;
    const now = frame % ring;
    for (let tempo = 0; tempo < tempi; tempo++) {
      const period = periods[tempo]!;
      const first = shortest[tempo]!;
      let best = frame < period ? 0 : -Infinity;
      let interval = 0;
      const tries = Math.min(TRIES, frame - first + 1);
      for (let index = 0; index < tries; index++) {
        const tried = first + index;
        const slot = now < tried ? now - tried + ring : now - tried;
        const value = onward[slot * tempi + tempo]! - costs[tempo * TRIES + index]!;
        if (value > best) {
          best = value;
          interval = tried;
        }
      }
      score[tempo] = best + gain;
      intervals[frame * tempi + tempo] = interval;
      if (frame >= count - period && best + gain > end.score) end = { score: best + gain, frame, tempo };
    }
    spreadOverTempi(
      score,
      onward.subarray(now * tempi, now * tempi + tempi),
      origins.subarray(frame * tempi, (frame + 1) * tempi),
    );
  }
  const beats: number[] = [];
  let { frame, tempo } = end;
  for (;;) {
    beats.push(frame);
    const interval = intervals[frame * tempi + tempo] ?? 0;
    if (interval === 0) return beats.reverse();
    frame -= interval;
    tempo = origins[frame * tempi + tempo] ?? tempo;
  }
}

/** Intervals that are tried for each period. */
const TRIES = 2 * REACH + 1;

/** Returns the costs of the intervals around each period. */
function deviationCosts(periods: readonly number[]): Float64Array {
  return Float64Array.from({ length: periods.length * TRIES }, (_, at) => {
    const period = periods[Math.floor(at / TRIES)] ?? 1;
    const deviation = (Math.round(period) - REACH + (at % TRIES) - period) / JITTER_FRAMES;
    return 0.5 * deviation * deviation;
  });
}

/** Returns the periods of all tempi in frames, the slowest first. */
function tempoPeriods(): number[] {
  return Array.from(
    { length: TEMPO_COUNT },
    (_, index) => (60 * BEAT_FRAME_RATE) / (MIN_BPM * Math.exp(TEMPO_STEP * index)),
  );
}

/** Writes for each tempo the best score of the beat before it, with the cost of the change, and its tempo. */
function spreadOverTempi(score: Float32Array, onward: Float32Array, origins: Uint8Array): void {
  const count = score.length;
  let top = 0;
  for (let tempo = 0; tempo < count; tempo++) {
    onward[tempo] = score[tempo]!;
    origins[tempo] = tempo;
    if (score[tempo]! > score[top]!) top = tempo;
  }
  for (let tempo = 1; tempo < count; tempo++) {
    const value = onward[tempo - 1]! - CHANGE_COST;
    if (value <= onward[tempo]!) continue;
    onward[tempo] = value;
    origins[tempo] = origins[tempo - 1]!;
  }
  for (let tempo = count - 2; tempo >= 0; tempo--) {
    const value = onward[tempo + 1]! - CHANGE_COST;
    if (value <= onward[tempo]!) continue;
    onward[tempo] = value;
    origins[tempo] = origins[tempo + 1]!;
  }
  const jump = score[top]! - JUMP_COST;
  for (let tempo = 0; tempo < count; tempo++) {
    if (jump <= onward[tempo]!) continue;
    onward[tempo] = jump;
    origins[tempo] = top;
  }
}
