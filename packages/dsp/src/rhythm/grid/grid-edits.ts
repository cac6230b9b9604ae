import { type GridRule, timelineOf } from './grid-rule.ts';

/** A number by which the beats of a grid are multiplied, as a fraction so that going there and back changes nothing. */
export type Factor = readonly [numerator: number, denominator: number];

/** The multiples at which a tempo is taken for another one. */
export const tempoFactors: readonly Factor[] = [
  [1, 1],
  [2, 1],
  [1, 2],
  [3, 2],
  [2, 3],
  [3, 1],
  [1, 3],
];

/** How far a tempo said in words may be from a multiple of what was heard and still mean that multiple. */
const SAME_TEMPO = 0.02;

/** As many beats times the factor: beat 0 stays where it is and begins a bar. */
export function multiplied(grid: GridRule, [numerator, denominator]: Factor): GridRule {
  return grid.kind === 'even'
    ? { ...grid, bpm: (grid.bpm * numerator) / denominator }
    : { ...grid, step: (grid.step * denominator) / numerator };
}

/** Every beat later by so many beats: 0.5 is the offbeat, 1 leaves the beats and moves the bars by one. */
export function shiftedByBeats(grid: GridRule, beats: number): GridRule {
  return grid.kind === 'even'
    ? { ...grid, downbeatSeconds: grid.downbeatSeconds + (beats * 60) / grid.bpm }
    : { ...grid, downbeatIndex: grid.downbeatIndex + beats * grid.step };
}

/** Every beat later by so many seconds, or earlier where they are negative. */
export function shiftedBySeconds(grid: GridRule, seconds: number): GridRule {
  return grid.kind === 'even'
    ? { ...grid, downbeatSeconds: grid.downbeatSeconds + seconds }
    : { ...grid, offsetSeconds: grid.offsetSeconds + seconds };
}

/** The same beats in bars of which one begins at the beat nearest to a moment. */
export function withDownbeatAt(grid: GridRule, detected: readonly number[], seconds: number): GridRule {
  return shiftedByBeats(grid, Math.round(timelineOf(grid, detected).beatAt(seconds)));
}

/** The same grid moved so that the beat nearest to a moment falls on it. */
export function alignedTo(grid: GridRule, detected: readonly number[], seconds: number): GridRule {
  const { beatAt, secondsAt } = timelineOf(grid, detected);
  return shiftedBySeconds(grid, seconds - secondsAt(Math.round(beatAt(seconds))));
}

/** An even grid of another tempo: the beat nearest to a moment stays, with its place in the bar. */
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
 * The grid that is meant by somebody who says a tempo without a place: near a multiple of a drifting one that multiple,
 * with its drift; else an even one through beat 0.
 *
 * @param currentBpm the tempo of `grid`
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

/** The same beats in bars of another length; beat 0 goes on to begin one. */
export function withTimeSignature(grid: GridRule, timeSignature: string): GridRule {
  return { ...grid, timeSignature };
}
