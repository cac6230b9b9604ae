import type { Quota } from '@stem-studio/contract/resources/usage';
import type { Role } from '@stem-studio/contract/roles';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';

/** What a user stores, what their unfinished work is expected to add, and their own limits. */
export interface UsageRow {
  readonly user_id: number;
  readonly role: Role;
  readonly stored_bytes: number;
  /** Of unfinished jobs and of uploads under way. */
  readonly expected_bytes: number;
  /** Live tracks. */
  readonly tracks: number;
  readonly queued_jobs: number;
  /** Stored separations and unfinished ones. */
  readonly stem_sets: number;
  readonly quota: Quota;
}

/** Usage of users by their ids. Reads sums of maintained changes and the unfinished jobs, never all tracks or stems. */
export async function readUsage(db: Db, userIds: readonly number[]): Promise<Map<number, UsageRow>> {
  const { rows } = await sql<UsageRow>`
    select users.id as user_id, users.role,
      (select coalesce(sum(bytes), 0)::bigint from storage_changes where user_id = users.id) as stored_bytes,
      (work.bytes + uploads.bytes) as expected_bytes,
      (select coalesce(sum(change), 0)::int from track_counts where user_id = users.id) as tracks,
      work.jobs as queued_jobs,
      ((select coalesce(sum(stem_sets), 0)::int from storage_changes where user_id = users.id)
        + work.separations) as stem_sets,
      json_build_object('storage_bytes', user_quotas.storage_bytes, 'tracks', user_quotas.tracks,
        'queued_jobs', user_quotas.queued_jobs, 'stem_sets', user_quotas.stem_sets) as quota
    from users left join user_quotas on user_quotas.user_id = users.id
    cross join lateral (
      select count(*)::int as jobs, coalesce(sum(expected_bytes), 0)::bigint as bytes,
        (count(*) filter (where type = 'processing'))::int as separations
      from jobs where user_id = users.id and finished_at is null) work
    cross join lateral (
      select coalesce(sum(bytes), 0)::bigint as bytes from disk_reservations
      where user_id = users.id and job_id is null and until > now()) uploads
    where users.id = any(${userIds}::int[])`.execute(db);
  return new Map(rows.map((row) => [row.user_id, row]));
}

/**
 * Lets one transaction at a time count and use up the room of a user. The rows that a new job refers to are locked
 * first: whoever holds them and waits for this lock would otherwise be waited for in turn.
 */
export async function lockUsage(tx: Tx, userId: number, trackId: string | undefined): Promise<void> {
  if (trackId !== undefined)
    await sql`select from tracks where id = ${trackId}::uuid for key share`.execute(tx);
  await sql`select from users where id = ${userId} for key share`.execute(tx);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`quota ${userId}`}, 0))`.execute(tx);
}

/** Changes limits of a user; what is left out stays. */
export async function saveQuota(tx: Tx, userId: number, change: Partial<Quota>): Promise<void> {
  await tx
    .insertInto('user_quotas')
    .values({
      user_id: userId,
      storage_bytes: null,
      tracks: null,
      queued_jobs: null,
      stem_sets: null,
      ...change,
    })
    .onConflict((conflict) => conflict.column('user_id').doUpdateSet({ user_id: userId, ...change }))
    .execute();
}

/** What a user's deleted tracks still hold, and when the last was deleted. */
export async function readDeletedTracks(
  db: Db,
  userId: number,
): Promise<{ tracks: number; bytes: number; last_deleted_at: Date | null }> {
  const { rows } = await sql<{ tracks: number; bytes: number; last_deleted_at: Date | null }>`
    with gone as materialized (
      select audio_source_id, deleted_at, coalesce(sound_bytes, 0) as sound_bytes,
        coalesce(stem_bytes, 0) as stem_bytes
      from tracks left join track_storage on track_storage.track_id = tracks.id
      where tracks.user_id = ${userId} and deleted_at is not null
    ), unused as (
      select audio_source_id, max(sound_bytes) as bytes from gone
      where audio_source_id is not null and not exists (
        select from tracks other where other.audio_source_id = gone.audio_source_id
          and (other.user_id <> ${userId} or other.deleted_at is null))
      group by audio_source_id
    )
    select count(*)::int as tracks, max(deleted_at) as last_deleted_at,
      (coalesce(sum(stem_bytes), 0) + coalesce(sum(sound_bytes) filter (where audio_source_id is null), 0)
        + coalesce((select sum(bytes) from unused), 0))::bigint as bytes
    from gone`.execute(db);
  return rows[0] ?? { tracks: 0, bytes: 0, last_deleted_at: null };
}

/** Charges a track that has no prepared audio yet for the uploaded bytes that wait for it. */
export async function chargeReceived(tx: Tx, trackId: string, bytes: number): Promise<void> {
  await sql`
    insert into track_storage (track_id, user_id, sound_bytes)
    select id, user_id, ${bytes} from tracks where id = ${trackId}::uuid and audio_source_id is null
    on conflict (track_id) do update set sound_bytes = excluded.sound_bytes`.execute(tx);
}

/** Makes one row of the many changes of what each user stores. The sum is the same at every moment. */
export async function addUpStorageChanges(db: Db): Promise<void> {
  await sql`
    with taken as (
      delete from storage_changes
      where user_id in (select user_id from storage_changes group by user_id having count(*) > 1)
      returning user_id, bytes, stem_sets
    )
    insert into storage_changes (user_id, bytes, stem_sets)
    select user_id, sum(bytes), sum(stem_sets) from taken group by user_id
    having sum(bytes) <> 0 or sum(stem_sets) <> 0`.execute(db);
}
