import { gridBounds } from '@stem-studio/contract/limits';
import type { GridEdit, GridFactor, GridStepName } from '@stem-studio/contract/resources/beat-grid';
import { rhythmOf } from '@stem-studio/dsp/rhythm/grid/grid-beats';
import {
  alignedTo,
  type Factor,
  multiplied,
  shiftedByBeats,
  shiftedBySeconds,
  withDownbeatAt,
  withTempo,
  withTimeSignature,
} from '@stem-studio/dsp/rhythm/grid/grid-edits';
import type { GridRule } from '@stem-studio/dsp/rhythm/grid/grid-rule';
import { fitTaps } from '@stem-studio/dsp/rhythm/grid/tap-tempo';
import { tappedGrid } from '@stem-studio/dsp/rhythm/grid/tapped-grid';
import { invalid, stateForbids } from '../../platform/errors.ts';

/** Edit that changes the rule of a grid. */
export type ShapingEdit = Extract<GridEdit, { edit: GridStepName }>;

/** Grid before an edit. */
export interface EditableGrid {
  /** Current rule; null if there are neither detected nor manual beats. */
  readonly grid: GridRule | null;
  /** Detected beats that `grid` refers to, in seconds. */
  readonly detected: readonly number[];
  readonly durationSeconds: number;
}

const factors: Readonly<Record<GridFactor, Factor>> = {
  '2': [2, 1],
  '1/2': [1, 2],
  '3/2': [3, 2],
  '2/3': [2, 3],
  '3': [3, 1],
  '1/3': [1, 3],
};

/**
 * Returns the rule of a grid after an edit. Throws `VALIDATION_ERROR` for times and shifts beyond the song, irregular
 * taps and a tempo out of bounds, and `GRID_EMPTY` if there are no beats to edit.
 */
export function applyGridEdit(
  edit: Exclude<ShapingEdit, { edit: 'use_detected' }>,
  present: EditableGrid,
): GridRule {
  const { grid, detected, durationSeconds } = present;
  if ('at_seconds' in edit) refuseBeyond('at_seconds', edit.at_seconds, durationSeconds);
  if (edit.edit === 'tap') return tapped(edit.taps, present);
  if (edit.edit === 'set_tempo' && !grid) {
    return { kind: 'even', bpm: edit.bpm, downbeatSeconds: edit.at_seconds, timeSignature: '4/4' };
  }
  if (!grid) throw gridEmpty();
  switch (edit.edit) {
    case 'multiply':
      return withinBounds(multiplied(grid, factors[edit.factor]), edit.factor, present);
    case 'shift_beats':
      return shiftedByBeats(grid, edit.beats);
    case 'shift_ms':
      if (Math.abs(edit.ms) > durationSeconds * 1000) {
        const rule = `must not shift by more than the track is long, ${Math.round(durationSeconds * 1000)} ms`;
        throw invalid({ ms: [`${rule} (got ${edit.ms})`] });
      }
      return shiftedBySeconds(grid, edit.ms / 1000);
    case 'set_downbeat':
      return withDownbeatAt(grid, detected, edit.at_seconds);
    case 'align':
      return alignedTo(grid, detected, edit.at_seconds);
    case 'set_tempo':
      return withTempo(grid, detected, edit.bpm, edit.at_seconds);
    case 'set_time_signature':
      return withTimeSignature(grid, edit.time_signature);
  }
}

/** Creates the error 422 `GRID_EMPTY`. */
function gridEmpty() {
  return stateForbids(
    'GRID_EMPTY',
    'no beats were detected in the track: set a tempo or tap it first (set_tempo, tap)',
  );
}

function refuseBeyond(field: string, seconds: number, durationSeconds: number): void {
  if (seconds <= durationSeconds) return;
  throw invalid({ [field]: [`must be within the track, 0 to ${durationSeconds} s (got ${seconds})`] });
}

function tapped(taps: readonly number[], { grid, detected, durationSeconds }: EditableGrid): GridRule {
  for (const [index, tap] of taps.entries()) refuseBeyond(`taps.${index}`, tap, durationSeconds);
  const fit = fitTaps(taps);
  if (!fit) {
    throw invalid({
      taps: [
        `must be ${gridBounds.leastTaps} or more that keep a beat (got ${taps.length}, too uneven or too near each other)`,
      ],
    });
  }
  refuseTempo('taps', fit.bpm);
  return tappedGrid(grid, detected, fit);
}

function withinBounds(
  grid: GridRule,
  factor: GridFactor,
  { detected, durationSeconds }: EditableGrid,
): GridRule {
  const bpm = grid.kind === 'even' ? grid.bpm : rhythmOf(grid, detected, durationSeconds).bpm;
  refuseTempo('factor', bpm, ` after × ${factor}`);
  return grid;
}

function refuseTempo(field: string, bpm: number, when = ''): void {
  const { minBpm, maxBpm } = gridBounds;
  if (bpm >= minBpm && bpm <= maxBpm) return;
  const got = `${Math.round(bpm * 100) / 100}${when}`;
  throw invalid({ [field]: [`must make a tempo of ${minBpm} to ${maxBpm} bpm (got ${got})`] });
}
