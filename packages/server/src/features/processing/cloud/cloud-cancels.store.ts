import { cancelledError } from '@stem-studio/contract/resources/job';
import { sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { CloudTaskRow } from './cloud-tasks.store.ts';

/** Marks the running tasks of a job as cancelling. */
export async function markCancelling(tx: Tx, jobId: string): Promise<void> {
  await tx
    .updateTable('cloud_tasks')
    .set({ state: 'cancelling' })
    .where('job_id', '=', jobId)
    .where('state', '=', 'running')
    .execute();
}

/** Marks all running tasks of a user who is being deleted as cancelling, and returns their ids. */
export async function markCancellingOf(tx: Tx, userId: number): Promise<string[]> {
  await tx
    .updateTable('cloud_tasks')
    .set({ state: 'cancelling' })
    .where('user_id', '=', userId)
    .where('state', '=', 'running')
    .execute();
  // Includes those that were marked before, when their job ended.
  const rows = await tx
    .selectFrom('cloud_tasks')
    .select('id')
    .where('user_id', '=', userId)
    .where('state', '=', 'cancelling')
    .execute();
  return rows.map(({ id }) => id);
}

/** Returns the oldest tasks of each account that are still to be ended at the service. Their jobs may be deleted. */
export async function listToCancel(db: Db, limitPerAccount: number): Promise<Map<string, string[]>> {
  const rows = await db
    .selectFrom((eb) =>
      eb
        .selectFrom('cloud_tasks')
        .select(['id', 'account', 'asked_at'])
        .select(sql<number>`row_number() over (partition by account order by asked_at, id)`.as('rank'))
        .where('state', '=', 'cancelling')
        .as('waiting'),
    )
    .select(['id', 'account'])
    .where('rank', '<=', limitPerAccount)
    .orderBy('asked_at')
    .execute();
  const ofAccount = Map.groupBy(rows, ({ account }) => account);
  return new Map([...ofAccount].map(([account, some]) => [account, some.map(({ id }) => id)]));
}

/** A task whose acceptance by the service is unknown, and the source it was requested for. */
export type UnansweredTask = CloudTaskRow & { readonly source_id: string | null };

/** Returns tasks requested before a time without a reply, whose job was deleted or cancelled, oldest first. */
export function listUnanswered(
  db: Db,
  of: { readonly askedBefore: Date; readonly ids?: readonly string[]; readonly limit: number },
): Promise<UnansweredTask[]> {
  return db
    .selectFrom('cloud_tasks')
    .leftJoin('jobs', 'jobs.id', 'cloud_tasks.job_id')
    .leftJoin('cloud_uploads', 'cloud_uploads.id', 'cloud_tasks.upload_id')
    .selectAll('cloud_tasks')
    .select('cloud_uploads.source_id')
    .where('state', '=', 'asking')
    .where('asked_at', '<=', of.askedBefore)
    .where((eb) => eb.or([eb('jobs.id', 'is', null), eb('jobs.error', '=', cancelledError)]))
    .$if(of.ids !== undefined, (query) =>
      query.where(sql<boolean>`cloud_tasks.id = any(${of.ids ?? []}::uuid[])`),
    )
    .orderBy('asked_at')
    .limit(of.limit)
    .execute();
}

/** Selects tasks by their jobs or by their own ids. */
export type TasksOf = { readonly jobIds: readonly string[] } | { readonly ids: readonly string[] };

const isMeant = (of: TasksOf) =>
  'jobIds' in of
    ? sql<boolean>`job_id = any(${of.jobIds}::uuid[])`
    : sql<boolean>`id = any(${of.ids}::uuid[])`;

/**
 * Claims cancelling tasks that no other process has claimed, except those in `but`. The claim lasts until
 * `claim.until`.
 */
export function claimCancelling(
  db: Db,
  of: TasksOf,
  claim: { readonly now: Date; readonly until: Date; readonly but: readonly string[] },
): Promise<CloudTaskRow[]> {
  return db
    .updateTable('cloud_tasks')
    .set({ cancel_claimed_until: claim.until })
    .where(isMeant(of))
    .where(sql<boolean>`not (id = any(${claim.but}::uuid[]))`)
    .where('state', '=', 'cancelling')
    .where((eb) =>
      eb.or([eb('cancel_claimed_until', 'is', null), eb('cancel_claimed_until', '<=', claim.now)]),
    )
    .returningAll()
    .execute();
}

/** Releases claimed tasks that are still to be ended, so that others can try. */
export async function unclaimCancelling(db: Db, ids: readonly string[]): Promise<void> {
  await db
    .updateTable('cloud_tasks')
    .set({ cancel_claimed_until: null })
    .where(isMeant({ ids }))
    .where('state', '=', 'cancelling')
    .execute();
}

/**
 * Returns whether tasks are left that the caller should wait for or try. These are claimed by another process, or were
 * released and not tried by the caller.
 */
export async function areLeft(
  db: Db,
  of: TasksOf,
  { now, but }: { readonly now: Date; readonly but: readonly string[] },
): Promise<boolean> {
  const row = await db
    .selectFrom('cloud_tasks')
    .select('id')
    .where(isMeant(of))
    .where('state', '=', 'cancelling')
    .where((eb) =>
      eb.or([eb('cancel_claimed_until', '>', now), sql<boolean>`not (id = any(${but}::uuid[]))`]),
    )
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/** Records the result of a cancel. */
export async function settleCancel(
  db: Db,
  id: string,
  state: 'cancelled' | 'done' | 'lost',
  now: Date,
): Promise<void> {
  await db
    .updateTable('cloud_tasks')
    .set({ state, settled_at: now, cancel_claimed_until: null })
    .where('id', '=', id)
    .where('state', '=', 'cancelling')
    .execute();
}
