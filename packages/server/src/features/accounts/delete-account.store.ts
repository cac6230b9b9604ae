import type { Tx } from '../../platform/db/database.ts';

/** Removes a user with their logins and API keys. */
export async function deleteUser(tx: Tx, id: number): Promise<void> {
  await tx.deleteFrom('users').where('id', '=', id).execute();
}
