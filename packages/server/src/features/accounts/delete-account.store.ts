import type { Tx } from '../../platform/db/database.ts';

/** Locks a user until the transaction ends, so that of two who delete them one waits; false when there is none. */
export async function lockUser(tx: Tx, id: number): Promise<boolean> {
  const row = await tx
    .selectFrom('users')
    .select('id')
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst();
  return row !== undefined;
}

/** Removes a user with their logins and API keys. */
export async function deleteUser(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute();
}

/** Ids of the jobs that wait or run for a user. */
export async function listUnfinishedJobs(tx: Tx, userId: number): Promise<string[]> {
  const rows = await tx
    .selectFrom('jobs')
    .select('id')
    .where('user_id', '=', userId)
    .where('finished_at', 'is', null)
    .execute();
  return rows.map(({ id }) => id);
}
