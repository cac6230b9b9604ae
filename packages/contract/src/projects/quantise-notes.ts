import { editBounds } from '../limits.ts';
import type { LaneNote, NoteChange } from '../resources/lane-note.ts';

/** Grids to which notes are quantised, as note values; T is a triplet. */
export const noteGrids = ['1/4', '1/4T', '1/8', '1/8T', '1/16', '1/16T', '1/32', '1/32T'] as const;
/** One of {@link noteGrids}. */
export type NoteGrid = (typeof noteGrids)[number];

/** Beats of a project on its timeline. */
export interface BeatPositions {
  /** Ascending, in ms; fewer than two are no grid. */
  readonly beatsMs: readonly number[];
  /** Index of a beat at which a bar begins. */
  readonly firstBar: number;
  /** Quarter notes of a beat: 1, or 1.5 in 6/8. */
  readonly quartersPerBeat: number;
}

/** Returns the length of a step of a grid, in quarter notes. */
export function quartersOf(grid: NoteGrid): number {
  const isTriplet = grid.endsWith('T');
  const quarters = 4 / Number.parseInt(grid.slice(2), 10);
  return isTriplet ? (quarters * 2) / 3 : quarters;
}

/** Returns the number of beats, with its fraction, at a position in ms; the outer beats continue beyond the list. */
function beatAt(beatsMs: readonly number[], ms: number): number {
  const at = beatBefore(beatsMs, ms);
  const from = beatsMs[at] as number;
  return at + (ms - from) / ((beatsMs[at + 1] as number) - from);
}

/** Returns the position in ms of a number of beats. */
function msAt(beatsMs: readonly number[], beat: number): number {
  const at = Math.min(beatsMs.length - 2, Math.max(0, Math.floor(beat)));
  const from = beatsMs[at] as number;
  return from + (beat - at) * ((beatsMs[at + 1] as number) - from);
}

/** Returns the index of the last beat at or before a position among those with a successor, or of the first. */
function beatBefore(beatsMs: readonly number[], ms: number): number {
  let [low, high] = [0, beatsMs.length - 2];
  while (low < high) {
    const middle = (low + high + 1) >> 1;
    if ((beatsMs[middle] as number) <= ms) low = middle;
    else high = middle - 1;
  }
  return low;
}

/** Returns the nearest line of a grid to a position, in ms; the position itself without beats. */
export function nearestLine({ beatsMs, ...bars }: BeatPositions, grid: NoteGrid, ms: number): number {
  if (beatsMs.length < 2) return ms;
  const step = quartersOf(grid) / bars.quartersPerBeat;
  const steps = Math.round((beatAt(beatsMs, ms) - bars.firstBar) / step);
  return msAt(beatsMs, bars.firstBar + steps * step);
}

/** Returns the lines of a grid from one position to another, in ms; empty without beats. */
export function gridLines(
  { beatsMs, firstBar, quartersPerBeat }: BeatPositions,
  grid: NoteGrid,
  fromMs: number,
  toMs: number,
): number[] {
  if (beatsMs.length < 2 || toMs < fromMs) return [];
  const step = quartersOf(grid) / quartersPerBeat;
  const first = Math.ceil((beatAt(beatsMs, fromMs) - firstBar) / step - 1e-9);
  const last = Math.floor((beatAt(beatsMs, toMs) - firstBar) / step + 1e-9);
  return Array.from({ length: Math.max(0, last - first + 1) }, (_, index) =>
    msAt(beatsMs, firstBar + (first + index) * step),
  );
}

/** How notes are quantised. */
export interface Quantisation {
  readonly grid: NoteGrid;
  /** Part of the way to the grid that notes move, in percent. */
  readonly strength: number;
  /** Whether their ends move to the grid too; otherwise they keep their lengths. */
  readonly hasEnds: boolean;
}

/**
 * Returns the changes that bring the starts of notes to a grid, and their ends if requested. A note that ends on the grid
 * is at least one step long. Notes that are on the grid are omitted.
 *
 * @spec Notes of lanes
 */
export function quantisedNotes(
  notes: readonly LaneNote[],
  beats: BeatPositions,
  { grid, strength, hasEnds }: Quantisation,
): NoteChange[] {
  const { beatsMs, quartersPerBeat } = beats;
  if (beatsMs.length < 2) return [];
  const stepBeats = quartersOf(grid) / quartersPerBeat;
  const towards = (ms: number, line: number) =>
    Math.min(editBounds.ms - 1, Math.max(0, Math.round(ms + ((line - ms) * strength) / 100)));
  return notes.flatMap(({ id, start_ms, length_ms }) => {
    const line = nearestLine(beats, grid, start_ms);
    const start = towards(start_ms, line);
    const nextLine = msAt(beatsMs, beatAt(beatsMs, line) + stepBeats);
    const endLine = Math.max(nextLine, nearestLine(beats, grid, start_ms + length_ms));
    const length = hasEnds ? Math.max(1, towards(start_ms + length_ms, endLine) - start) : length_ms;
    const change = {
      ...(start !== start_ms && { start_ms: start }),
      ...(length !== length_ms && { length_ms: length }),
    };
    return Object.keys(change).length === 0 ? [] : [{ id, ...change }];
  });
}
