import { BEAT_FRAME_RATE } from './beat-network-input.ts';

/** Slowest and fastest tempo, in bpm: the defaults of madmom, as those below. */
const MIN_BPM = 55;
const MAX_BPM = 215;
/** How unlikely changes of tempo are. */
const CHANGE_COST = 100;
/** One of so many frames of a period is the beat. */
const OBSERVED_PARTS = 16;
/** Cost above which a change of tempo is not tried. */
const LARGEST_COST = 20;

/**
 * Returns the beats that the network alone suggests, by the bar pointer and the constants of its authors' field.
 *
 * Each frame is a beat with the probability of the network, or none, so that beats without activation and activations
 * between beats have a cost; that decides between metrical levels. The period of a beat is a whole number of frames. Only
 * beats need states, as in `beat-path.ts`.
 *
 * @param odds log-odds of a beat for each frame of 20 ms
 * @returns frames, ascending; empty for less than two seconds
 * @see Böck, Krebs and Widmer, "A multi-model approach to beat tracking considering heterogeneous music styles", ISMIR
 *   2014; Krebs, Böck and Widmer, "An efficient state-space model for joint tempo and meter tracking", ISMIR 2015
 */
export function decodeActivations(odds: Float32Array): number[] {
  const count = odds.length;
  if (count < 2 * BEAT_FRAME_RATE) return [];
  const shortest = Math.round((60 * BEAT_FRAME_RATE) / MAX_BPM);
  const longest = Math.round((60 * BEAT_FRAME_RATE) / MIN_BPM);
  const periods = Array.from({ length: longest - shortest + 1 }, (_, index) => shortest + index);
  const width = periods.length;
  const changes = changesOfPeriod(periods);
  // Sums of the log-likelihoods of beat and no beat from the beginning.
  const on = new Float64Array(count + 1);
  const off = new Float64Array(count + 1);
  for (let frame = 0; frame < count; frame++) {
    const value = odds[frame] ?? 0;
    on[frame + 1] = (on[frame] ?? 0) - Math.log1p(Math.exp(-value));
    off[frame + 1] = (off[frame] ?? 0) - Math.log1p(Math.exp(value)) - Math.log(OBSERVED_PARTS - 1);
  }
  const worth = (from: number, period: number): number => {
    const middle = Math.min(count, from + Math.ceil(period / OBSERVED_PARTS));
    const end = Math.min(count, from + period);
    return (on[middle] ?? 0) - (on[from] ?? 0) + (off[end] ?? 0) - (off[middle] ?? 0);
  };
  /** Best score up to a beat whose period begins there, and the period before it; 0 for the first beat. */
  const scores = new Float64Array(count * width);
  const origins = new Uint8Array(count * width);
  const arrived = new Float64Array(width);
  let end = { score: -Infinity, frame: 0, index: 0 };
  for (let frame = 0; frame < count; frame++) {
    for (let index = 0; index < width; index++) {
      const from = frame - (periods[index] ?? 1);
      arrived[index] =
        from < 0 ? -Infinity : (scores[from * width + index] ?? 0) + worth(from, periods[index] ?? 1);
    }
    for (let index = 0; index < width; index++) {
      const period = periods[index] ?? 1;
      // Before the first beat lies a part of a period.
      let best = frame < period ? (off[frame] ?? 0) : -Infinity;
      let origin = 0;
      for (const { from, cost } of changes[index] ?? []) {
        const value = (arrived[from] ?? 0) - cost;
        if (value > best) {
          best = value;
          origin = periods[from] ?? 0;
        }
      }
      scores[frame * width + index] = best;
      origins[frame * width + index] = origin;
      if (frame + period < count) continue;
      const score = best + worth(frame, period);
      if (score > end.score) end = { score, frame, index };
    }
  }
  const beats: number[] = [];
  let { frame, index } = end;
  for (;;) {
    beats.push(frame);
    const period = origins[frame * width + index] ?? 0;
    if (period === 0) return beats.reverse();
    frame -= period;
    index = period - shortest;
  }
}

/** Returns for each period those that may precede it, by index, with the negative log-probability of the change. */
function changesOfPeriod(periods: readonly number[]): { from: number; cost: number }[][] {
  const costs = periods.map((old) => periods.map((next) => CHANGE_COST * Math.abs(next / old - 1)));
  const totals = costs.map((row) => Math.log(row.reduce((sum, cost) => sum + Math.exp(-cost), 0)));
  return periods.map((_, next) =>
    costs.flatMap((row, from) => {
      const cost = (row[next] ?? 0) + (totals[from] ?? 0);
      return cost < LARGEST_COST ? [{ from, cost }] : [];
    }),
  );
}
