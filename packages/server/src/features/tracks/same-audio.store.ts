import { sql } from 'kysely';
import type { Db } from '../../platform/db/database.ts';

/** Returns the ids of a user's other live tracks whose audio has the same samples as that of a track, oldest first. */
export async function listSameAudio(
  db: Db,
  track: { readonly id: string; readonly user_id: number; readonly audio_source_id: string | null },
): Promise<string[]> {
  if (track.audio_source_id === null) return [];
  const { rows } = await sql<{ id: string }>`
    select tracks.id from tracks
    where user_id = ${track.user_id} and deleted_at is null and tracks.id <> ${track.id}
      and audio_source_id in (
        select other.id from audio_sources own
        join audio_sources other on other.id = own.id or other.audio_hash = own.audio_hash
        where own.id = ${track.audio_source_id})
    order by tracks.created_at, tracks.id`.execute(db);
  return rows.map(({ id }) => id);
}
