import type { HandlerInput } from '@stem-studio/contract/endpoint';
import type {
  listTrackIds,
  listTracks as listTracksEndpoint,
  updateTrack,
  updateTracks,
} from '@stem-studio/contract/endpoints/tracks';
import { metaFor, type PageMeta } from '@stem-studio/contract/envelope';
import { libraryChannel } from '@stem-studio/contract/events/library';
import { tagBounds } from '@stem-studio/contract/limits';
import { type Track, tags } from '@stem-studio/contract/resources/track';
import { parseTrackSearch } from '@stem-studio/contract/track-search';
import type { RawBuilder } from 'kysely';
import type { Context } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { invalid, notFound, stateForbids } from '../../platform/errors.ts';
import { emit } from '../../platform/events.ts';
import { markFoldersForDeletion } from '../../platform/files/folders-to-delete.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { asReadable, type Owned, own, type Readable } from '../../platform/owned.ts';
import { jobStateOf, listJobs, newestJobs } from '../../platform/queue/jobs.store.ts';
import { cancelJobIn } from '../../platform/queue/jobs.ts';
import { publish } from '../../platform/socket/publish.ts';
import { catalogIdOfCover } from '../catalog/index.ts';
import { requireQuota } from '../quotas/index.ts';
import { findTracks } from './all-tracks.store.ts';
import { announceDuplicate } from './announce-duplicate.ts';
import { deleteSourceIfUnused, type RenditionRow } from './audio-sources.store.ts';
import { type EnsuredTrack, ensureTracks, type NewTrack } from './ensure-tracks.ts';
import { presentTrack } from './present-track.ts';
import { listSameAudio } from './same-audio.store.ts';
import { trackKind, trackSubject } from './track-jobs.ts';
import { type ListOrder, listIds, listTracks, type TrackFilter } from './track-list.store.ts';
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

type ListQuery = HandlerInput<typeof listTracksEndpoint>['query'];
type IdsQuery = HandlerInput<typeof listTrackIds>['query'];

/** Part of the library that a list is limited to; with neither field the whole library. */
export interface TrackSubset {
  /** Search that its tracks match. */
  readonly q?: string | undefined;
  /** Statement that returns its tracks as `track_id` with their `position`. */
  readonly positions?: RawBuilder<unknown> | undefined;
}

function filterOf(
  context: Context,
  viewer: Viewer,
  query: ListQuery | IdsQuery,
  subset: TrackSubset,
): TrackFilter {
  return {
    userId: viewer.id,
    // Parsed apart, because a quotation mark left open in one must not reach into the other.
    terms: [...parseTrackSearch(subset.q ?? ''), ...parseTrackSearch(query.q ?? '')],
    subset: subset.positions,
    now: context.clock.now(),
    key: query.key,
    bpmMin: query.bpm_min,
    bpmMax: query.bpm_max,
    tag: query.tag,
    ids: 'ids' in query ? query.ids : undefined,
  };
}

/**
 * Returns the order of a list. A smart crate has no positions: its own order is by the time that tracks were added.
 *
 * @throws `VALIDATION_ERROR` for the order of a crate outside of one
 */
function orderOf({ sort, fit_key, fit_bpm }: ListQuery | IdsQuery, subset: TrackSubset): ListOrder {
  const fit = { key: fit_key ?? '', bpm: fit_bpm ?? null };
  const hasPositions = subset.positions !== undefined;
  if (!hasPositions && (sort === 'position' || sort === '-position')) {
    if (subset.q === undefined) throw invalid({ sort: [`${sort} is the order of a crate`] });
    return { sort: sort === 'position' ? '-created_at' : 'created_at', fit };
  }
  return { sort: sort ?? (hasPositions ? 'position' : '-created_at'), fit };
}

/** Returns ids of the caller's tracks in the order of the list. */
export async function showTrackIds(
  context: Context,
  viewer: Viewer,
  query: IdsQuery,
  subset: TrackSubset = {},
): Promise<string[]> {
  const part = { offset: query.first, limit: query.count ?? null };
  return listIds(context.db, filterOf(context, viewer, query, subset), orderOf(query, subset), part);
}

/** Returns a page of the caller's tracks. */
export async function showTracks(
  context: Context,
  viewer: Viewer,
  query: Omit<ListQuery, 'crate'>,
  subset: TrackSubset = {},
): Promise<{ data: Track[]; meta: PageMeta }> {
  const page = { offset: (query.page - 1) * query.page_size, limit: query.page_size };
  const filter = filterOf(context, viewer, query, subset);
  const { tracks, totalCount } = await listTracks(context.db, filter, orderOf(query, subset), page);
  return {
    data: tracks.map(({ row, jobs }) => presentTrack(row, jobs)),
    meta: metaFor(query.page, query.page_size, totalCount),
  };
}

// Returns tracks by their ids in this order, without those in the trash.
async function showTracksOf(context: Context, ids: readonly string[]): Promise<Track[]> {
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
 * Changes the editable fields of a track. Later analyses do not overwrite a tempo or key set by the user.
 *
 * @throws `GRID_LOCKED` for a tempo that differs from that of a locked beat grid
 */
export async function editTrack(
  context: Context,
  track: Owned<store.TrackWithAudio>,
  change: HandlerInput<typeof updateTrack>['body'],
): Promise<void> {
  await context.db.transaction().execute((tx) => applyChange(context, tx, track, change));
}

async function applyChange(
  context: Context,
  tx: Tx,
  track: Pick<store.TrackRow, 'id' | 'user_id'>,
  change: HandlerInput<typeof updateTrack>['body'],
): Promise<void> {
  await store.updateTrack(tx, track.id, {
    ...change,
    ...(change.bpm !== undefined && { bpm_edited: change.bpm !== null }),
    ...(change.key !== undefined && { key_edited: change.key !== '' }),
    updated_at: context.clock.now(),
  });
  if (change.bpm !== undefined) {
    const { id: track_id, user_id } = track;
    await emit(context, tx, 'track.tempo_set', { track_id, user_id, bpm: change.bpm });
  }
  await announceTrack(tx, track.id, 'track_updated');
}

/**
 * Changes fields of several tracks of the caller in one transaction.
 *
 * @throws `NOT_FOUND` if one of them is missing, `GRID_LOCKED`; nothing is changed then
 */
export async function editTracks(
  context: Context,
  viewer: Viewer,
  { track_ids, change }: HandlerInput<typeof updateTracks>['body'],
): Promise<Track[]> {
  const { add_tags = [], remove_tags = [], ...fields } = change;
  const ids = [...new Set(track_ids)];
  return context.db.transaction().execute(async (tx) => {
    // The same order for every request, so that two of them cannot deadlock.
    for (const id of ids.toSorted()) {
      const row = await store.lockTrack(tx, id);
      if (!row || row.deleted_at !== null || !own(viewer, row)) throw notFound(`track ${id}`);
      const removed = new Set(remove_tags.map((tag) => tag.toLowerCase()));
      const kept = (fields.tags ?? row.tags).filter((tag) => !removed.has(tag.toLowerCase()));
      const isRetagged = add_tags.length > 0 || remove_tags.length > 0;
      const retagged = isRetagged ? tags.safeParse([...kept, ...add_tags]) : null;
      if (retagged && !retagged.success)
        throw invalid({ 'change.add_tags': [`must leave at most ${tagBounds.count} tags on each track`] });
      await applyChange(context, tx, row, { ...fields, ...(retagged && { tags: retagged.data }) });
    }
    return showTracksOf({ ...context, db: tx }, ids);
  });
}

/** Stores the results of an analysis, except for values set by the user. */
export async function recordDetected(
  context: Context,
  tx: Tx,
  trackId: string,
  detected: {
    readonly bpm?: number | null;
    readonly key?: string;
    readonly loudness_lufs?: number;
  },
): Promise<void> {
  const row = await store.findAnyTrack(tx, trackId);
  if (!row) return;
  await store.updateTrack(tx, trackId, {
    ...(detected.bpm !== undefined && !row.bpm_edited && { bpm: detected.bpm }),
    ...(detected.loudness_lufs !== undefined && { loudness_lufs: detected.loudness_lufs }),
    ...(detected.key !== undefined && !row.key_edited && { key: detected.key }),
    updated_at: context.clock.now(),
  });
  await announceTrack(tx, trackId, 'track_updated');
}

/** Stores the tempo of a track's beat grid, set by its owner or detected. */
export async function recordTempo(
  context: Context,
  tx: Tx,
  trackId: string,
  tempo: { readonly bpm: number | null; readonly isSetByUser: boolean },
): Promise<void> {
  const { bpm, isSetByUser } = tempo;
  await store.updateTrack(tx, trackId, { bpm, bpm_edited: isSetByUser, updated_at: context.clock.now() });
  await announceTrack(tx, trackId, 'track_updated');
}

/** Makes a completed full separation the default of its track: its stems are played and exported. */
export async function recordStems(context: Context, tx: Tx, trackId: string, jobId: string): Promise<void> {
  await store.updateTrack(tx, trackId, { stems_job_id: jobId, updated_at: context.clock.now() });
  await announceTrack(tx, trackId, 'track_updated');
}

/**
 * Locks a track and ends the use of a separation by it. If the track uses it by default, `findNext` chooses another
 * one, or none. Returns the default that follows.
 */
export async function forgetStems(
  context: Context,
  tx: Tx,
  trackId: string,
  jobId: string,
  findNext: () => Promise<string | null>,
): Promise<string | null> {
  const row = await store.lockTrack(tx, trackId);
  if (!row || row.stems_job_id !== jobId) return row?.stems_job_id ?? null;
  const stems_job_id = await findNext();
  await store.updateTrack(tx, trackId, { stems_job_id, updated_at: context.clock.now() });
  return stems_job_id;
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

/** Attaches audio to a track and publishes the track. Returns whether the audio differs from the previous one. */
export async function attachAudio(
  context: Context,
  tx: Tx,
  trackId: string,
  audio: {
    readonly sourceId: string;
    readonly quality: RenditionRow['quality'];
    readonly durationMs: number;
  },
  coverUrl: string | null,
): Promise<boolean> {
  const before = await store.findAnyTrack(tx, trackId);
  const replacedId = before?.audio_source_id === audio.sourceId ? null : (before?.audio_source_id ?? null);
  const art = before?.album_art_url ?? null;
  // The cover of replaced audio is deleted with it.
  const lacksArt = art === null || (replacedId !== null && art.includes(`/downloads/${replacedId}/`));
  // The stored cover remains when the catalog is missing.
  const isOfCatalog = art !== null && before?.catalog_id === catalogIdOfCover(art);
  const art_url = lacksArt ? coverUrl : isOfCatalog ? (coverUrl ?? art) : art;
  await store.updateTrack(tx, trackId, {
    audio_source_id: audio.sourceId,
    quality: audio.quality,
    duration_ms: audio.durationMs,
    ...(art !== art_url && { album_art_url: art_url }),
    updated_at: context.clock.now(),
  });
  if (replacedId !== null && (await deleteSourceIfUnused(tx, replacedId)))
    await markFoldersForDeletion(context, tx, [`downloads/${replacedId}`]);
  await announceTrack(tx, trackId, 'track_updated');
  const isNew = before?.audio_source_id !== audio.sourceId;
  if (isNew) await announceDuplicate(tx, trackId);
  return isNew;
}
