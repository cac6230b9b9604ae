import { type GridRule, timelineOf } from './grid-rule.ts';

/** Tempo factor as a fraction, so that an edit and its inverse cancel exactly. */
export type Factor = readonly [numerator: number, denominator: number];

/** Factors between tempi of different metrical levels. */
export const tempoFactors: readonly Factor[] = [
  [1, 1],
  [2, 1],
  [1, 2],
  [3, 2],
  [2, 3],
  [3, 1],
  [1, 3],
];

/** Largest relative difference between an entered tempo and the multiple of the detected one that it stands for. */
const SAME_TEMPO = 0.02;

/** Multiplies the number of beats; beat 0 stays and remains a downbeat. */
export function multiplied(grid: GridRule, [numerator, denominator]: Factor): GridRule {
  return grid.kind === 'even'
    ? { ...grid, bpm: (grid.bpm * numerator) / denominator }
    : { ...grid, step: (grid.step * denominator) / numerator };
}

/** Delays all beats by a number of beats: 0.5 is the offbeat, 1 moves only the bars. */
export function shiftedByBeats(grid: GridRule, beats: number): GridRule {
  return grid.kind === 'even'
    ? { ...grid, downbeatSeconds: grid.downbeatSeconds + (beats * 60) / grid.bpm }
    : { ...grid, downbeatIndex: grid.downbeatIndex + beats * grid.step };
}

/** Delays all beats by a number of seconds; negative numbers advance them. */
export function shiftedBySeconds(grid: GridRule, seconds: number): GridRule {
  return grid.kind === 'even'
    ? { ...grid, downbeatSeconds: grid.downbeatSeconds + seconds }
    : { ...grid, offsetSeconds: grid.offsetSeconds + seconds };
}

/** Makes the beat nearest to a time a downbeat. */
export function withDownbeatAt(grid: GridRule, detected: readonly number[], seconds: number): GridRule {
  return shiftedByBeats(grid, Math.round(timelineOf(grid, detected).beatAt(seconds)));
}

/** Shifts the grid so that the beat nearest to a time falls on it. */
export function alignedTo(grid: GridRule, detected: readonly number[], seconds: number): GridRule {
  const { beatAt, secondsAt } = timelineOf(grid, detected);
  return shiftedBySeconds(grid, seconds - secondsAt(Math.round(beatAt(seconds))));
}

/**
 * Returns an even grid of another tempo in which the beat nearest to a time keeps its time and its number in the bar.
 */
export function withTempo(
  grid: GridRule,
  detected: readonly number[],
  bpm: number,
  aroundSeconds: number,
): GridRule {
  const { beatAt, secondsAt } = timelineOf(grid, detected);
  const count = Math.round(beatAt(aroundSeconds));
  const { timeSignature } = grid;
  return { kind: 'even', bpm, downbeatSeconds: secondsAt(count) - (count * 60) / bpm, timeSignature };
}

/**
 * Returns the grid of a tempo that was set without a time.
 *
 * Near a multiple of the tempo of a following grid it is that multiple, with its drift; else an even grid through beat
 * 0.
 *
 * @param currentBpm tempo of `grid`
 */
export function withTrackTempo(
  grid: GridRule,
  detected: readonly number[],
  currentBpm: number,
  bpm: number,
): GridRule {
  const meant = tempoFactors.find(([n, d]) => Math.abs((bpm * d) / (currentBpm * n) - 1) <= SAME_TEMPO);
  if (grid.kind === 'following' && meant) return multiplied(grid, meant);
  return withTempo(grid, detected, bpm, timelineOf(grid, detected).secondsAt(0));
}

/** Changes the length of the bars; beat 0 remains a downbeat. */
export function withTimeSignature(grid: GridRule, timeSignature: string): GridRule {
  return { ...grid, timeSignature };
}
