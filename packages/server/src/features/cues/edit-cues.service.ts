import type { HandlerInput } from '@stem-studio/contract/endpoint';
import type { createCue as createEndpoint, updateCue } from '@stem-studio/contract/endpoints/cues';
import { cueBounds, restoreWindowSeconds } from '@stem-studio/contract/limits';
import { type Cue, cueColors } from '@stem-studio/contract/resources/cue';
import { beatLookupOf } from '@stem-studio/dsp/rhythm/grid/beat-lookup';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { invalid, notFound, stateForbids } from '../../platform/errors.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { own } from '../../platform/owned.ts';
import { findNewestGrid } from '../analysis/index.ts';
import { findOwnedTrack } from '../tracks/index.ts';
import { announceCues } from './cues.service.ts';
import * as store from './cues.store.ts';
import type { CueRow } from './cues.tables.ts';
import { gridPositionOf } from './merge-cues.ts';
import { isSamePosition, presentCue, presentCues } from './present-cues.ts';

/** Throws if another manual or promoted cue point occupies the beat. */
function refuseTaken(rows: readonly CueRow[], position: Pick<CueRow, 'beat' | 'position_ms'>, id = ''): void {
  const other = rows.find(
    (row) =>
      row.id !== id && row.deleted_at === null && row.source === 'manual' && isSamePosition(row, position),
  );
  if (!other) return;
  const where = `on the beat of "${other.label}" at ${other.position_ms} ms`;
  throw stateForbids('CUE_BEAT_TAKEN', `a cue point of yours stands ${where} already: delete that one first`);
}

/** Returns a cue point as presented now, or as stored if a manual one hides it. */
async function shownAfter(tx: Tx, row: CueRow): Promise<Cue> {
  const rows = await store.listCues(tx, row.track_id);
  const shown = presentCues(rows).find(({ id }) => id === row.id);
  return shown ?? presentCue(rows.find(({ id }) => id === row.id) ?? row, null);
}

/**
 * Creates a manual cue point of the caller. It hides an auto cue on the same beat. Throws `NOT_FOUND`,
 * `CUE_BEAT_TAKEN`, `TOO_MANY_CUES`, or `VALIDATION_ERROR` for a position after the end of the track.
 */
export async function createCue(
  context: Context,
  viewer: Viewer,
  trackId: string,
  request: HandlerInput<typeof createEndpoint>['body'],
): Promise<Cue> {
  const track = await findOwnedTrack(context.db, viewer, trackId);
  const { position_ms, kind, label = 'Cue', color = cueColors[kind] } = request;
  if (track.duration_ms > 0 && position_ms > track.duration_ms) {
    throw invalid({
      position_ms: [`must be within the track, 0 to ${track.duration_ms} ms (got ${position_ms})`],
    });
  }
  const ground = await findNewestGrid(context.db, track);
  const grid = beatLookupOf(ground ?? {});
  const now = context.clock.now();
  return context.db.transaction().execute(async (tx) => {
    await store.lockCues(tx, track.id);
    await store.purgeCues(tx, track.id, new Date(now.getTime() - restoreWindowSeconds * 1000));
    const rows = await store.listCues(tx, track.id);
    if (rows.filter(({ source }) => source === 'manual').length >= cueBounds.manualPerTrack) {
      const rule = `a track has at most ${cueBounds.manualPerTrack} cue points of your own`;
      throw stateForbids('TOO_MANY_CUES', `${rule}: delete some that you do not need`);
    }
    const position = { position_ms, ...gridPositionOf(grid, position_ms) };
    refuseTaken(rows, position);
    const row: CueRow = {
      id: newId(),
      track_id: track.id,
      kind,
      label,
      ...position,
      loop_beats: null,
      color,
      source: 'manual',
      rank: null,
      confidence: null,
      is_edited: false,
      is_promoted: false,
      created_at: now,
      updated_at: now,
      deleted_at: null,
    };
    await store.insertCues(tx, [row]);
    await announceCues(tx, track);
    return presentCue(row);
  });
}

/** Changes a cue point of the caller under a lock. */
async function changeCue<T>(
  context: Context,
  viewer: Viewer,
  id: string,
  change: (tx: Tx, row: CueRow) => Promise<T>,
): Promise<T> {
  const found = own(viewer, await store.findCue(context.db, id));
  if (!found) throw notFound('cue point');
  return context.db.transaction().execute(async (tx) => {
    await store.lockCues(tx, found.track_id);
    // Another transaction may have deleted or changed it while this one waited.
    const row = (await store.listCues(tx, found.track_id)).find((one) => one.id === id);
    if (!row) throw notFound('cue point');
    const result = await change(tx, row);
    await announceCues(tx, { id: found.track_id, user_id: found.user_id });
    return result;
  });
}

/** Renames, re-colours or promotes a cue point of the caller. Throws `NOT_FOUND` or `CUE_BEAT_TAKEN`. */
export async function editCue(
  context: Context,
  viewer: Viewer,
  id: string,
  change: HandlerInput<typeof updateCue>['body'],
): Promise<Cue> {
  return changeCue(context, viewer, id, async (tx, row) => {
    if (row.deleted_at !== null) throw notFound('cue point');
    const { source, ...fields } = change;
    const isPromoted = source === 'manual' && row.source === 'auto';
    if (isPromoted) refuseTaken(await store.listCues(tx, row.track_id), row, id);
    await store.updateCue(tx, id, {
      ...fields,
      ...(isPromoted && { source, is_promoted: true }),
      is_edited: row.is_edited || Object.keys(fields).length > 0,
      updated_at: context.clock.now(),
    });
    return shownAfter(tx, row);
  });
}

/** Deletes a cue point of the caller. A detected one is not created again. Throws `NOT_FOUND`. */
export async function deleteCue(context: Context, viewer: Viewer, id: string): Promise<void> {
  await changeCue(context, viewer, id, async (tx, row) => {
    if (row.deleted_at !== null) throw notFound('cue point');
    await store.updateCue(tx, id, { deleted_at: context.clock.now() });
  });
}

/** Restores a deleted cue point. Throws `NOT_FOUND`, `CUE_NOT_RESTORABLE` for a live one, or `CUE_BEAT_TAKEN`. */
export async function restoreCue(context: Context, viewer: Viewer, id: string): Promise<Cue> {
  return changeCue(context, viewer, id, async (tx, row) => {
    if (row.deleted_at === null) throw stateForbids('CUE_NOT_RESTORABLE', 'the cue point is not deleted');
    const isOwn = row.source === 'manual' && !row.is_promoted;
    const openUntilMs = row.deleted_at.getTime() + restoreWindowSeconds * 1000;
    if (isOwn && openUntilMs < context.clock.now().getTime()) throw notFound('cue point');
    if (row.source === 'manual') refuseTaken(await store.listCues(tx, row.track_id), row, id);
    await store.updateCue(tx, id, { deleted_at: null, updated_at: context.clock.now() });
    return shownAfter(tx, row);
  });
}
