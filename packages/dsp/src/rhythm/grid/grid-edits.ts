import { beatCountOf, type HandGrid } from './grid-rule.ts';

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
export function multiplied(grid: HandGrid, [numerator, denominator]: Factor): HandGrid {
  return grid.kind === 'even'
    ? { ...grid, bpm: (grid.bpm * numerator) / denominator }
    : { ...grid, step: (grid.step * denominator) / numerator };
}

/** Every beat later by so many beats: 0.5 is the offbeat, 1 leaves the beats and moves the bars by one. */
export function shiftedByBeats(grid: HandGrid, beats: number): HandGrid {
  return grid.kind === 'even'
    ? { ...grid, oneSeconds: grid.oneSeconds + (beats * 60) / grid.bpm }
    : { ...grid, one: grid.one + beats * grid.step };
}

/** Every beat later by so many seconds, or earlier where they are negative. */
export function shiftedBySeconds(grid: HandGrid, seconds: number): HandGrid {
  return grid.kind === 'even'
    ? { ...grid, oneSeconds: grid.oneSeconds + seconds }
    : { ...grid, offsetSeconds: grid.offsetSeconds + seconds };
}

/** The same beats in bars of which one begins at the beat nearest to a moment. */
export function withOneAt(grid: HandGrid, heard: readonly number[], seconds: number): HandGrid {
  return shiftedByBeats(grid, Math.round(beatCountOf(grid, heard).countOf(seconds)));
}

/** The same grid moved so that the beat nearest to a moment falls on it. */
export function alignedTo(grid: HandGrid, heard: readonly number[], seconds: number): HandGrid {
  const { countOf, secondsOf } = beatCountOf(grid, heard);
  return shiftedBySeconds(grid, seconds - secondsOf(Math.round(countOf(seconds))));
}

/** An even grid of another tempo: the beat nearest to a moment stays, with its place in the bar. */
export function withTempo(
  grid: HandGrid,
  heard: readonly number[],
  bpm: number,
  aroundSeconds: number,
): HandGrid {
  const { countOf, secondsOf } = beatCountOf(grid, heard);
  const count = Math.round(countOf(aroundSeconds));
  const { timeSignature } = grid;
  return { kind: 'even', bpm, oneSeconds: secondsOf(count) - (count * 60) / bpm, timeSignature };
}

/**
 * The grid that is meant by somebody who says a tempo without a place: near a multiple of a drifting one that multiple,
 * with its drift; else an even one through beat 0.
 *
 * @param heardBpm the tempo of `grid`
 */
export function withSaidTempo(
  grid: HandGrid,
  heard: readonly number[],
  heardBpm: number,
  bpm: number,
): HandGrid {
  const meant = tempoFactors.find(([n, d]) => Math.abs((bpm * d) / (heardBpm * n) - 1) <= SAME_TEMPO);
  if (grid.kind === 'following' && meant) return multiplied(grid, meant);
  return withTempo(grid, heard, bpm, beatCountOf(grid, heard).secondsOf(0));
}

/** The same beats in bars of another length; beat 0 goes on to begin one. */
export function withTimeSignature(grid: HandGrid, timeSignature: string): HandGrid {
  return { ...grid, timeSignature };
}
