import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import { emit } from '../../platform/events.ts';
import { deleteMarkedFolders, markFoldersForDeletion } from '../../platform/files/folders-to-delete.ts';
import { deleteJobsOf } from '../../platform/queue/jobs.store.ts';
import { deleteSourceIfUnused, sumSourceBytes } from './audio-sources.store.ts';
import { trackKind } from './track-jobs.ts';
import * as store from './tracks.store.ts';
import { restorableSince } from './trash-time.ts';

const batch = 50;

/** What a permanent deletion of tracks has freed. */
export interface Purged {
  readonly tracks: number;
  readonly freedBytes: number;
}

/**
 * Deletes tracks permanently that can no longer be restored. This includes rows, stems, and the audio when no other
 * user has it. Returns the number of deleted tracks.
 */
export async function purgeDeletedTracks(context: Context): Promise<number> {
  return (await purge(context, (tx) => store.listExpired(tx, restorableSince(context), batch))).tracks;
}

/** Deletes all deleted tracks of a user permanently, including those that could still be restored. */
export async function purgeDeletedTracksOf(context: Context, userId: number): Promise<Purged> {
  let tracks = 0;
  let freedBytes = 0;
  for (;;) {
    const purged = await purge(context, (tx) => store.listDeletedOf(tx, userId, batch));
    if (purged.tracks === 0) return { tracks, freedBytes };
    tracks += purged.tracks;
    freedBytes += purged.freedBytes;
  }
}

/**
 * Deletes tracks permanently: first the rows, in a transaction that records their folders, then the folders. The
 * periodic sweep removes what a crash between the two leaves.
 */
export async function purge(context: Context, list: (tx: Tx) => Promise<store.TrackRow[]>): Promise<Purged> {
  const purged = await context.db.transaction().execute(async (tx) => {
    const folders: string[] = [];
    let freedBytes = 0;
    const tracks = await list(tx);
    for (const { id, audio_source_id } of tracks) {
      await emit(context, tx, 'track.purged', {
        track_id: id,
        freed: (part) => {
          folders.push(...part.folders);
          freedBytes += part.bytes;
        },
      });
      await store.deleteTrack(tx, id);
      await deleteJobsOf(tx, trackKind, [id]);
      if (audio_source_id === null) continue;
      const bytes = await sumSourceBytes(tx, audio_source_id);
      if (!(await deleteSourceIfUnused(tx, audio_source_id))) continue;
      folders.push(`downloads/${audio_source_id}`);
      freedBytes += bytes;
    }
    await markFoldersForDeletion(context, tx, folders);
    return { tracks: tracks.length, freedBytes };
  });
  if (purged.tracks > 0) await deleteMarkedFolders(context);
  return purged;
}
