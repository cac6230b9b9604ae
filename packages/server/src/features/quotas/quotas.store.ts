import type { Quota } from '@stem-studio/contract/resources/usage';
import type { Role } from '@stem-studio/contract/roles';
import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { accountsOf, keepUser } from '../users/index.ts';
import { trackCountOf } from './track-counts.store.ts';

/** Usage of a user, expected growth by their unfinished work, and their individual limits. */
export interface UsageRow {
  readonly user_id: number;
  readonly role: Role;
  readonly stored_bytes: number;
  /** Expected bytes of unfinished jobs and of uploads under way. */
  readonly expected_bytes: number;
  /** Number of tracks that are not deleted. */
  readonly tracks: number;
  readonly queued_jobs: number;
  /** Number of stored and unfinished separations. */
  readonly stem_sets: number;
  readonly quota: Quota;
}

/**
 * Returns the usage of users by their ids. Reads maintained totals and unfinished jobs, never all tracks or stems.
 */
export async function readUsage(db: Db, userIds: readonly number[]): Promise<Map<number, UsageRow>> {
  const { rows } = await sql<UsageRow>`
    select account.id as user_id, account.role,
      (select coalesce(sum(bytes), 0)::bigint from storage_changes where user_id = account.id) as stored_bytes,
      (work.bytes + uploads.bytes) as expected_bytes,
      ${trackCountOf(sql.ref('account.id'))} as tracks,
      work.jobs as queued_jobs,
      ((select coalesce(sum(stem_sets), 0)::int from storage_changes where user_id = account.id)
        + work.separations) as stem_sets,
      json_build_object('storage_bytes', user_quotas.storage_bytes, 'tracks', user_quotas.tracks,
        'queued_jobs', user_quotas.queued_jobs, 'stem_sets', user_quotas.stem_sets) as quota
    from ${accountsOf(userIds)} as account left join user_quotas on user_quotas.user_id = account.id
    cross join lateral (
      select count(*)::int as jobs, coalesce(sum(expected_bytes), 0)::bigint as bytes,
        (count(*) filter (where type = 'processing'))::int as separations
      from jobs where user_id = account.id and finished_at is null) work
    cross join lateral (
      select coalesce(sum(bytes), 0)::bigint as bytes from disk_reservations
      where user_id = account.id and job_id is null and until > now()) uploads`.execute(db);
  return new Map(rows.map((row) => [row.user_id, row]));
}

/**
 * Serialises transactions that use the quota of the same user until this one ends. The user's row is locked first: a
 * transaction that holds it and waits for this lock would cause a deadlock.
 */
export async function lockUsage(tx: Tx, userId: number): Promise<void> {
  await keepUser(tx, userId);
  await sql`select pg_advisory_xact_lock(hashtextextended(${`quota ${userId}`}, 0))`.execute(tx);
}

/** Changes the limits of a user. Absent fields stay unchanged. */
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

/** Merges the many storage changes of each user into one row. Concurrent readers always see the same sum. */
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
