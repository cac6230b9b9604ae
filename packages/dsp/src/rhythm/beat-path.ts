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
  let end = { score: -Infinity, frame: 0, tempo: 0 };
  for (let frame = 0; frame < count; frame++) {
    const gain = gains[frame] ?? 0;
    const now = frame % ring;
    for (let tempo = 0; tempo < tempi; tempo++) {
      const period = periods[tempo] ?? 1;
      const middle = Math.round(period);
      let best = frame < period ? 0 : -Infinity;
      let interval = 0;
      const last = Math.min(frame, middle + REACH);
      for (let tried = middle - REACH; tried <= last; tried++) {
        const deviation = (tried - period) / JITTER_FRAMES;
        const slot = now - tried < 0 ? now - tried + ring : now - tried;
        const value = (onward[slot * tempi + tempo] ?? 0) - 0.5 * deviation * deviation;
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

/** Returns the periods of all tempi in frames, the slowest first. */
function tempoPeriods(): number[] {
  return Array.from(
    { length: TEMPO_COUNT },
    (_, index) => (60 * BEAT_FRAME_RATE) / (MIN_BPM * Math.exp(TEMPO_STEP * index)),
  );
}

/** Writes for each tempo the best score of the beat before it, with the cost of the change, and its tempo. */
function spreadOverTempi(score: Float32Array, onward: Float32Array, origins: Uint8Array): void {
  let top = 0;
  for (let tempo = 0; tempo < score.length; tempo++) {
    onward[tempo] = score[tempo] ?? 0;
    origins[tempo] = tempo;
    if ((score[tempo] ?? 0) > (score[top] ?? 0)) top = tempo;
  }
  for (let tempo = 1; tempo < score.length; tempo++) take(tempo, tempo - 1);
  for (let tempo = score.length - 2; tempo >= 0; tempo--) take(tempo, tempo + 1);
  const jump = (score[top] ?? 0) - JUMP_COST;
  for (let tempo = 0; tempo < score.length; tempo++) {
    if (jump > (onward[tempo] ?? 0)) {
      onward[tempo] = jump;
      origins[tempo] = top;
    }
  }

  function take(tempo: number, neighbour: number): void {
    const value = (onward[neighbour] ?? 0) - CHANGE_COST;
    if (value <= (onward[tempo] ?? 0)) return;
    onward[tempo] = value;
    origins[tempo] = origins[neighbour] ?? neighbour;
  }
}
