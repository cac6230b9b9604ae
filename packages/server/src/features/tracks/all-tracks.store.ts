import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { type TrackWithAudio, withAudio } from './tracks.store.ts';

/** Ids of all live tracks of a user, the oldest first. */
export async function listTrackIds(db: Db, userId: number): Promise<string[]> {
  const rows = await db
    .selectFrom('tracks')
    .select('id')
    .where('user_id', '=', userId)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return rows.map(({ id }) => id);
}

/** Those of the tracks that are still there, in the order of their making. */
export async function findTracks(db: Db, ids: readonly string[]): Promise<TrackWithAudio[]> {
  if (ids.length === 0) return [];
  const rows = await db
    .selectFrom('tracks')
    .selectAll()
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .where('deleted_at', 'is', null)
    .orderBy('created_at')
    .orderBy('id')
    .execute();
  return withAudio(db, rows);
}
