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
