import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';
import { type TrackWithAudio, withAudio } from './tracks.store.ts';

/** Returns the ids of all live tracks of a user, oldest first. */
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

/** Returns those of the tracks that are live, in the order of their creation. */
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
