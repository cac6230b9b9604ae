import { libraryChannel } from '@stem-studio/contract/events/library';
import { gridBounds } from '@stem-studio/contract/limits';
import type { GridStepName } from '@stem-studio/contract/resources/beat-grid';
import { heardGridOf } from '@stem-studio/dsp/rhythm/grid/detected-grid';
import type { Context } from '../../context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { emit } from '../../platform/events.ts';
import { publish } from '../../platform/socket/publish.ts';
import { recordTempo } from '../tracks/index.ts';
import { findHeard, type HeardRhythm } from './analysis.store.ts';
import type { EditedGrid } from './apply-grid-edit.ts';
import * as store from './beat-grid.store.ts';
import { findGridInForce, type GridInForce, heardRhythm } from './current-grid.ts';

/** The beats of a track while nobody else changes them. */
export interface OpenGrid {
  readonly track: store.GriddedTrack;
  readonly inForce: GridInForce;
  /** What the newest analysis that tells of beats heard; null where there is none. */
  readonly newest: HeardRhythm | null;
}

/** Opens the beats of a track for changes, until the transaction ends; null where the track is gone. */
export async function openGrid(tx: Tx, trackId: string): Promise<OpenGrid | null> {
  const track = await store.lockGrid(tx, trackId);
  if (!track) return null;
  return {
    track,
    inForce: await findGridInForce(tx, track),
    newest: await findHeard(tx, { track_id: trackId }),
  };
}

/** The rule by which the beats are counted now, what it follows, and the analysis that is from. */
export async function presentGrid(
  tx: Tx,
  { track, inForce, newest }: OpenGrid,
): Promise<EditedGrid & { readonly heardJobId: string | null }> {
  const { step } = inForce;
  const heardJobId = step?.grid ? step.heard_job_id : (newest?.job_id ?? null);
  const heard = step?.grid && heardJobId !== null ? await findHeard(tx, { job_id: heardJobId }) : newest;
  const rhythm = heardRhythm(heard ?? {});
  return {
    heardJobId,
    heard: rhythm.beats,
    durationSeconds: track.duration_ms / 1000 || (heard?.duration_seconds ?? 0),
    grid: step?.grid ?? heardGridOf({ ...rhythm, bpm: rhythm.tempo, timeSignature: rhythm.time_signature }),
  };
}

/** Puts a step after the one that holds; those that were undone are gone then. A grid of null is what was heard. */
export async function takeStep(
  context: Context,
  tx: Tx,
  open: OpenGrid,
  step: Pick<store.GridStep, 'grid' | 'heard_job_id'> & { readonly name: GridStepName },
): Promise<void> {
  const place = (open.inForce.row?.place ?? 0) + 1;
  // The row first: steps hang on it.
  const row = await writeRow(context, tx, open, { place });
  const { name, grid, heard_job_id } = step;
  await store.writeStep(tx, open.track.id, { place, name, grid, heard_job_id }, place - gridBounds.undoSteps);
  await follow(context, tx, open, row);
}

/** Goes to a step that is there, or to 0, which is what was heard. */
export async function goToStep(context: Context, tx: Tx, open: OpenGrid, place: number): Promise<void> {
  await follow(context, tx, open, await writeRow(context, tx, open, { place }));
}

/** Locks the beats as they are, or lets go of them. */
export async function setLock(context: Context, tx: Tx, open: OpenGrid, isLocked: boolean): Promise<void> {
  const { step } = open.inForce;
  const locked_job_id = isLocked && !step?.grid ? (open.newest?.job_id ?? null) : null;
  await follow(context, tx, open, await writeRow(context, tx, open, { is_locked: isLocked, locked_job_id }));
}

async function writeRow(
  context: Context,
  tx: Tx,
  { track, inForce }: OpenGrid,
  change: Partial<Pick<store.GridRow, 'place' | 'is_locked' | 'locked_job_id'>>,
): Promise<store.GridRow> {
  const before = inForce.row ?? { place: 0, is_locked: false, locked_job_id: null, version: 0 };
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

/** Lets the track's tempo, the owner's pages and what stands on the beats follow a change. */
async function follow(context: Context, tx: Tx, open: OpenGrid, row: store.GridRow): Promise<void> {
  const { track, newest } = open;
  const after = await findGridInForce(tx, track);
  const before = open.inForce.rhythm?.tempo ?? newest?.tempo ?? 0;
  const bpm = after.rhythm?.tempo ?? newest?.tempo ?? 0;
  const isSaid = after.fields.grid_source === 'manual';
  const isStep = row.place !== (open.inForce.row?.place ?? 0);
  if (isStep ? bpm !== before || isSaid !== track.bpm_edited : bpm !== before && !track.bpm_edited) {
    // A tempo that the owner gave another name keeps it as long as it is the same tempo.
    const isRenamed = isSaid && bpm === before && track.bpm !== null;
    await recordTempo(context, tx, track.id, { bpm: isRenamed ? track.bpm : bpm || null, isSaid });
  }
  await announceGrid(tx, track);
  // A lock alone changes no beat; without it a newer analysis may hold.
  if (isStep || !row.is_locked)
    await emit(context, tx, 'grid.changed', { track_id: track.id, user_id: track.user_id });
}

/** Tells the owner's pages that the beats of a track have changed, when the caller's transaction commits. */
export async function announceGrid(
  tx: Tx,
  track: { readonly id: string; readonly user_id: number },
): Promise<void> {
  await publish(tx, libraryChannel, { user_id: track.user_id }, 'grid_updated', { track_id: track.id });
}
