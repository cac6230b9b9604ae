import { sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';
import { deleteJobsOf } from '../../platform/queue/jobs.store.ts';
import { trackKind } from './track-jobs.ts';

/** Deletes every track of a user, including deleted ones. Returns the ids of the audio sources that they used. */
export async function deleteTracksOf(tx: Tx, userId: number): Promise<string[]> {
  const deleted = await tx
    .deleteFrom('tracks')
    .where('user_id', '=', userId)
    .returning(['id', 'audio_source_id'])
    .execute();
  await deleteJobsOf(
    tx,
    trackKind,
    deleted.map(({ id }) => id),
  );
  const used = deleted.flatMap(({ audio_source_id }) => (audio_source_id === null ? [] : [audio_source_id]));
  return [...new Set(used)];
}

/** Deletes those of the sources that no track uses any more, and returns their ids. */
export async function deleteUnusedSources(tx: Tx, ids: readonly string[]): Promise<string[]> {
  // Locks in a statement of its own: the next one then sees what the previous lock holders have committed.
  await sql`select id from audio_sources where id = any(${ids}::uuid[]) order by id for update`.execute(tx);
  const deleted = await sql<{ id: string }>`
    delete from audio_sources where id = any(${ids}::uuid[])
      and not exists (select from tracks where tracks.audio_source_id = audio_sources.id)
    returning id`.execute(tx);
  return deleted.rows.map(({ id }) => id);
}
