import { libraryChannel } from '@stem-studio/contract/events/library';
import type { Track } from '@stem-studio/contract/resources/track';
import type { Context } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { notFound, stateForbids } from '../../platform/errors.ts';
import { emit } from '../../platform/events.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { asReadable, type Owned, own, type Readable } from '../../platform/owned.ts';
import { jobStateOf, listJobs, newestJobs } from '../../platform/queue/jobs.store.ts';
import { cancelJobIn } from '../../platform/queue/jobs.ts';
import { publish } from '../../platform/socket/publish.ts';
import { requireQuota } from '../quotas/index.ts';
import { findTracks } from './all-tracks.store.ts';
import { type EnsuredTrack, ensureTracks, type NewTrack } from './ensure-tracks.ts';
import { presentTrack } from './present-track.ts';
import { listSameAudio } from './same-audio.store.ts';
import { trackKind, trackSubject } from './track-jobs.ts';
import * as store from './tracks.store.ts';
import { restorableSince } from './trash-time.ts';

/**
 * Returns the caller's own track, for changes. Tracks of other users count as missing.
 *
 * @throws `NOT_FOUND`
 */
export async function findOwnedTrack(
  db: Db,
  viewer: Viewer,
  id: string,
): Promise<Owned<store.TrackWithAudio>> {
  const owned = own(viewer, await store.findTrack(db, id));
  if (!owned) throw notFound('track');
  return owned;
}

/**
 * Returns a track that the caller may read: their own, or that of any user for an admin.
 *
 * @throws `NOT_FOUND`
 */
export async function getReadableTrack(
  db: Db,
  viewer: Viewer,
  id: string,
): Promise<Readable<store.TrackWithAudio>> {
  const readable = asReadable(viewer, await store.findTrack(db, id));
  if (!readable) throw notFound('track');
  return readable;
}

/** Returns tracks in their wire format, each with its newest jobs. */
export async function presentTracks(db: Db, rows: readonly store.TrackWithAudio[]): Promise<Track[]> {
  const jobs = await newestJobs(
    db,
    trackKind,
    rows.map((row) => row.id),
  );
  return rows.map((row) => {
    const { download, processing, analysis } = jobs.get(row.id) ?? {};
    return presentTrack(row, {
      ...(download && { download: jobStateOf(download) }),
      ...(processing && { processing: jobStateOf(processing) }),
      ...(analysis && { analysis: jobStateOf(analysis) }),
    });
  });
}

/** Returns a readable track in its wire format. */
export async function showTrack(context: Context, viewer: Viewer, id: string): Promise<Track> {
  const [shown] = await presentTracks(context.db, [await getReadableTrack(context.db, viewer, id)]);
  if (!shown) throw notFound('track');
  return shown;
}

/** Returns tracks by their ids in this order, without those in the trash. */
export async function showTracksOf(context: Context, ids: readonly string[]): Promise<Track[]> {
  const shown = await presentTracks(context.db, await findTracks(context.db, ids));
  const byId = new Map(shown.map((track) => [track.id, track]));
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** Returns the other tracks of the same library with the same audio as a readable track, the oldest first. */
export async function showDuplicates(context: Context, viewer: Viewer, id: string): Promise<Track[]> {
  const track = await getReadableTrack(context.db, viewer, id);
  return showTracksOf(context, await listSameAudio(context.db, track));
}

/** Publishes the current state of a track to its owner when the caller's transaction commits. */
export async function announceTrack(
  tx: Db,
  trackId: string,
  event: 'track_created' | 'track_updated',
): Promise<void> {
  const row = await store.findTrack(tx, trackId);
  if (!row) return;
  const [track] = await presentTracks(tx, [row]);
  await publish(tx, libraryChannel, { user_id: row.user_id }, event, { track });
}

/** Ensures one track and publishes it to its owner where it was restored. See {@link ensureTracks}. */
export async function ensureTrack(context: Context, tx: Tx, wanted: NewTrack): Promise<EnsuredTrack> {
  const [ensured] = await ensureTracks(context, tx, [wanted]);
  if (!ensured) throw new Error('a track that was asked for was not made');
  if (ensured.restored) await announceTrack(tx, ensured.track.id, 'track_created');
  return ensured;
}

/**
 * Hides a track at once and cancels its jobs. Row and files are deleted when it can no longer be restored. The jobs
 * come first: a completing job holds its own row while it waits for the track's, so the other order would deadlock.
 */
export async function deleteTrack(context: Context, track: Owned<store.TrackWithAudio>): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    await endJobs(context, tx, track.id);
    await store.updateTrack(tx, track.id, { deleted_at: context.clock.now() });
    await publish(tx, libraryChannel, { user_id: track.user_id }, 'track_deleted', { track_id: track.id });
    await emit(context, tx, 'track.deleted', { track_id: track.id, user_id: track.user_id });
  });
}

/** Cancels the queued and running jobs of a track, and those that a job completing meanwhile has requested. */
async function endJobs(context: Context, tx: Tx, trackId: string): Promise<void> {
  for (;;) {
    const jobs = await listJobs(tx, { subject: trackSubject(trackId) });
    const unfinished = jobs.filter((job) => job.finished_at === null);
    if (unfinished.length === 0) return;
    for (const job of unfinished) await cancelJobIn(context, tx, job.id);
  }
}

/**
 * Restores a track from the trash.
 *
 * @throws `NOT_FOUND`, `QUOTA_EXCEEDED`
 * @throws `TRACK_NOT_RESTORABLE` for a live track
 */
export async function restoreTrack(context: Context, viewer: Viewer, id: string): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    const row = await store.findAnyTrack(tx, id);
    if (!row || !own(viewer, row)) throw notFound('track');
    if (row.deleted_at === null) throw stateForbids('TRACK_NOT_RESTORABLE', 'the track is not deleted');
    if (row.deleted_at < restorableSince(context)) throw notFound('track');
    await store.updateTrack(tx, id, { deleted_at: null, updated_at: context.clock.now() });
    await requireQuota(context, tx, row.user_id, { what: 'this track', newTracks: 1 });
    await announceTrack(tx, id, 'track_created');
  });
}
