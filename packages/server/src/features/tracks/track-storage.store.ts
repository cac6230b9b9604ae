import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

/** Returns the number and stored bytes of a user's deleted tracks, and when the last one was deleted. */
export async function readDeletedTracks(
  db: Db,
  userId: number,
): Promise<{ tracks: number; bytes: number; last_deleted_at: Date | null }> {
  const { rows } = await sql<{ tracks: number; bytes: number; last_deleted_at: Date | null }>`
    with gone as materialized (
      select audio_source_id, deleted_at, coalesce(audio_bytes, 0) as audio_bytes,
        coalesce(stem_bytes, 0) as stem_bytes
      from tracks left join track_storage on track_storage.track_id = tracks.id
      where tracks.user_id = ${userId} and deleted_at is not null
    ), unused as (
      select audio_source_id, max(audio_bytes) as bytes from gone
      where audio_source_id is not null and not exists (
        select from tracks other where other.audio_source_id = gone.audio_source_id
          and (other.user_id <> ${userId} or other.deleted_at is null))
      group by audio_source_id
    )
    select count(*)::int as tracks, max(deleted_at) as last_deleted_at,
      (coalesce(sum(stem_bytes), 0) + coalesce(sum(audio_bytes) filter (where audio_source_id is null), 0)
        + coalesce((select sum(bytes) from unused), 0))::bigint as bytes
    from gone`.execute(db);
  return rows[0] ?? { tracks: 0, bytes: 0, last_deleted_at: null };
}

/** Charges a track that has no prepared audio yet for its uploaded bytes. */
export async function chargeReceived(tx: Tx, trackId: string, bytes: number): Promise<void> {
  await sql`
    insert into track_storage (track_id, user_id, audio_bytes)
    select id, user_id, ${bytes} from tracks where id = ${trackId}::uuid and audio_source_id is null
    on conflict (track_id) do update set audio_bytes = excluded.audio_bytes`.execute(tx);
}
