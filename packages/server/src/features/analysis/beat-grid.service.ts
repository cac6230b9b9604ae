import type { BeatGrid, GridEdit } from '@stem-studio/contract/resources/beat-grid';
import type { Context } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { notFound, stateForbids } from '../../platform/errors.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { findOwnedTrack, getReadableTrack } from '../tracks/index.ts';
import { findDetectedRhythm } from './analysis.store.ts';
import { applyGridEdit } from './apply-grid-edit.ts';
import { findStep } from './beat-grid.store.ts';
import { findCurrentGrid, withoutJob } from './current-grid.ts';
import { addStep, editableGrid, goToStep, type OpenGrid, openGrid, setLock } from './grid-history.ts';

function notAnalyzed() {
  return stateForbids('TRACK_NOT_ANALYZED', 'the track has not been analysed for beats: analyse it first');
}

/** Returns the current beats of a readable track. Throws `NOT_FOUND` or `TRACK_NOT_ANALYZED`. */
export async function showGrid(context: Context, viewer: Viewer, trackId: string): Promise<BeatGrid> {
  return describeGrid(context.db, await getReadableTrack(context.db, viewer, trackId));
}

async function describeGrid(
  db: Db,
  track: { readonly id: string; readonly duration_ms: number },
): Promise<BeatGrid> {
  const newest = await findDetectedRhythm(db, { track_id: track.id });
  if (!newest) throw notAnalyzed();
  const { fields, row, step, rhythm } = await findCurrentGrid(db, track);
  const detected = withoutJob(newest);
  return {
    track_id: track.id,
    ...(rhythm ?? detected),
    ...fields,
    undo: step && (await canGoTo(db, track.id, step.step_index - 1)) ? step.name : null,
    redo: row ? ((await findStep(db, track.id, row.step_index + 1))?.name ?? null) : null,
    detected: {
      tempo: detected.tempo,
      time_signature: detected.time_signature,
      beats: detected.beats.length,
    },
    edited_at: row?.edited_at.toISOString() ?? null,
  };
}

/** Tells whether the history of a grid has a step; 0 is the state before the first one. */
async function canGoTo(db: Db, trackId: string, stepIndex: number): Promise<boolean> {
  return stepIndex === 0 || (await findStep(db, trackId, stepIndex)) !== null;
}

/**
 * Edits the beat grid of a track of the caller. Throws `NOT_FOUND`, `TRACK_NOT_ANALYZED`, `GRID_CHANGED` if the edit
 * was made for another version, `GRID_LOCKED`, `GRID_EMPTY`, `GRID_NOTHING_TO_UNDO`, `GRID_NOTHING_TO_REDO`, or
 * `VALIDATION_ERROR`; nothing is changed then.
 */
export async function editGrid(
  context: Context,
  viewer: Viewer,
  trackId: string,
  edit: GridEdit,
): Promise<BeatGrid> {
  const track = await findOwnedTrack(context.db, viewer, trackId);
  return context.db.transaction().execute(async (tx) => {
    const open = await openGrid(tx, track.id);
    if (!open) throw notFound('track');
    if (!open.newest) throw notAnalyzed();
    refuseStale(edit, open);
    await perform(context, tx, open, edit);
    return describeGrid(tx, open.track);
  });
}

function refuseStale({ version }: GridEdit, { current }: OpenGrid): void {
  const { grid_version } = current.fields;
  if (version === undefined || version === grid_version) return;
  const rule = `the beat grid was changed elsewhere: it is version ${grid_version} now`;
  throw stateForbids('GRID_CHANGED', `${rule}, the edit was made for ${version}. Fetch it and try again`, {
    version: [`must be ${grid_version} (got ${version})`],
  });
}

/** Throws `GRID_LOCKED` if the beat grid of a track is locked. */
export function refuseLocked({ current }: OpenGrid): void {
  if (current.fields.grid_locked)
    throw stateForbids('GRID_LOCKED', 'the beat grid is locked: unlock it before you change it');
}

async function perform(context: Context, tx: Tx, open: OpenGrid, edit: GridEdit): Promise<void> {
  const { current } = open;
  if (edit.edit === 'lock' || edit.edit === 'unlock') {
    const isLocked = edit.edit === 'lock';
    if (isLocked !== current.fields.grid_locked) await setLock(context, tx, open, isLocked);
    return;
  }
  refuseLocked(open);
  const stepIndex = current.row?.step_index ?? 0;
  if (edit.edit === 'undo') {
    if (stepIndex === 0 || !(await canGoTo(tx, open.track.id, stepIndex - 1)))
      throw stateForbids('GRID_NOTHING_TO_UNDO', 'no edit of the beat grid is left to undo');
    return goToStep(context, tx, open, stepIndex - 1);
  }
  if (edit.edit === 'redo') {
    if (!(await findStep(tx, open.track.id, stepIndex + 1)))
      throw stateForbids('GRID_NOTHING_TO_REDO', 'no edit of the beat grid was undone');
    return goToStep(context, tx, open, stepIndex + 1);
  }
  if (edit.edit === 'use_detected') {
    if (current.step?.grid)
      await addStep(context, tx, open, { name: 'use_detected', grid: null, detected_job_id: null });
    return;
  }
  const present = await editableGrid(tx, open);
  const grid = applyGridEdit(edit, present);
  const detected_job_id = grid.kind === 'following' ? present.detectedJobId : null;
  await addStep(context, tx, open, { name: edit.edit, grid, detected_job_id });
}
