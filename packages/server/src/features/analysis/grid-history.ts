import { libraryChannel } from '@stem-studio/contract/events/library';
import { gridBounds } from '@stem-studio/contract/limits';
import type { GridStepName } from '@stem-studio/contract/resources/beat-grid';
import { detectedRule } from '@stem-studio/dsp/rhythm/grid/detected-grid';
import { type GridMove, gridMove } from '@stem-studio/dsp/rhythm/grid/grid-move';
import { fromRhythmFields } from '@stem-studio/dsp/rhythm/rhythm-fields';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { emit } from '../../platform/events.ts';
import { publish } from '../../platform/socket/publish.ts';
import { lockTrack, recordTempo, type TrackRow } from '../tracks/index.ts';
import { type DetectedRhythm, findDetectedRhythm } from './analysis.store.ts';
import type { EditableGrid } from './apply-grid-edit.ts';
import * as store from './beat-grid.store.ts';
import { type CurrentGrid, findCurrentGrid } from './current-grid.ts';

/** Beat grid of a track, locked against changes by other transactions. */
export interface OpenGrid {
  readonly track: TrackRow;
  readonly current: CurrentGrid;
  /** Rhythm detected by the newest analysis that has one; null if there is none. */
  readonly newest: DetectedRhythm | null;
}

/** Locks the beat grid of a track until the transaction ends; null if the track is deleted. */
export async function openGrid(tx: Tx, trackId: string): Promise<OpenGrid | null> {
  const track = await lockTrack(tx, trackId);
  if (!track) return null;
  return {
    track,
    current: await findCurrentGrid(tx, track),
    newest: await findDetectedRhythm(tx, { track_id: trackId }),
  };
}

/** Returns the current rule of the beats, the detected beats that it refers to, and the job that detected them. */
export async function editableGrid(
  tx: Tx,
  { track, current, newest }: OpenGrid,
): Promise<EditableGrid & { readonly detectedJobId: string | null }> {
  const { step } = current;
  const detectedJobId = step?.grid ? step.detected_job_id : (newest?.job_id ?? null);
  const detected =
    step?.grid && detectedJobId !== null ? await findDetectedRhythm(tx, { job_id: detectedJobId }) : newest;
  return {
    detectedJobId,
    detected: detected?.beats ?? [],
    durationSeconds: track.duration_ms / 1000 || (detected?.duration_seconds ?? 0),
    grid: step?.grid ?? (detected && detectedRule(fromRhythmFields(detected))),
  };
}

/**
 * Adds a step after the current one and drops the steps that were undone. A grid of null stands for the detected
 * beats.
 */
export async function addStep(
  context: Context,
  tx: Tx,
  open: OpenGrid,
  step: Pick<store.GridStep, 'grid' | 'detected_job_id'> & { readonly name: GridStepName },
): Promise<void> {
  const step_index = (open.current.row?.step_index ?? 0) + 1;
  // The row is written first because steps refer to it.
  const row = await writeRow(context, tx, open, { step_index });
  const { name, grid, detected_job_id } = step;
  await store.writeStep(
    tx,
    open.track.id,
    { step_index, name, grid, detected_job_id },
    step_index - gridBounds.undoSteps,
  );
  await follow(context, tx, open, row);
}

/** Makes an existing step the current one; 0 stands for the detected beats. */
export async function goToStep(context: Context, tx: Tx, open: OpenGrid, stepIndex: number): Promise<void> {
  await follow(context, tx, open, await writeRow(context, tx, open, { step_index: stepIndex }));
}

/** Locks or unlocks the current beats. */
export async function setLock(context: Context, tx: Tx, open: OpenGrid, isLocked: boolean): Promise<void> {
  const { step } = open.current;
  const locked_job_id = isLocked && !step?.grid ? (open.newest?.job_id ?? null) : null;
  await follow(context, tx, open, await writeRow(context, tx, open, { is_locked: isLocked, locked_job_id }));
}

async function writeRow(
  context: Context,
  tx: Tx,
  { track, current }: OpenGrid,
  change: Partial<Pick<store.GridRow, 'step_index' | 'is_locked' | 'locked_job_id'>>,
): Promise<store.GridRow> {
  const before = current.row ?? { step_index: 0, is_locked: false, locked_job_id: null, version: 0 };
  const row: store.GridRow = {
    ...before,
    ...change,
    track_id: track.id,
    version: before.version + 1,
    audio_source_id: track.audio_source_id,
    edited_at: context.clock.now(),
  };
  await store.writeGrid(tx, row);
  return row;
}

/** Updates the tempo of the track, notifies the owner's pages and emits `grid.changed` after a change. */
async function follow(context: Context, tx: Tx, open: OpenGrid, row: store.GridRow): Promise<void> {
  const { track, newest } = open;
  const after = await findCurrentGrid(tx, track);
  const before = open.current.rhythm?.tempo ?? newest?.tempo ?? 0;
  const bpm = after.rhythm?.tempo ?? newest?.tempo ?? 0;
  const isSetByUser = after.fields.grid_source === 'manual';
  const isStep = row.step_index !== (open.current.row?.step_index ?? 0);
  if (isStep ? bpm !== before || isSetByUser !== track.bpm_edited : bpm !== before && !track.bpm_edited) {
    // A tempo that the owner entered as another value keeps that value as long as the grid keeps its tempo.
    const isRenamed = isSetByUser && bpm === before && track.bpm !== null;
    await recordTempo(context, tx, track.id, { bpm: isRenamed ? track.bpm : bpm || null, isSetByUser });
  }
  await announceGrid(tx, track);
  // Locking changes no beat; unlocking may bring a newer analysis into use.
  if (isStep || !row.is_locked)
    await emit(context, tx, 'grid.changed', {
      track_id: track.id,
      user_id: track.user_id,
      move: await moveFrom(tx, open),
    });
}

/** Returns the move from a grid to the present one of its track; null if there is none. */
async function moveFrom(tx: Tx, before: OpenGrid): Promise<GridMove | null> {
  const present = await openGrid(tx, before.track.id);
  const from = await editableGrid(tx, before);
  const to = present && (await editableGrid(tx, present));
  if (!from.grid || !to?.grid) return null;
  return gridMove({ ...from, grid: from.grid }, { ...to, grid: to.grid });
}

/** Notifies the owner's pages of changed beats when the transaction commits. */
export async function announceGrid(
  tx: Tx,
  track: { readonly id: string; readonly user_id: number },
): Promise<void> {
  await publish(tx, libraryChannel, { user_id: track.user_id }, 'grid_updated', { track_id: track.id });
}
