import type { Context } from '../platform/context.ts';
import type { SecretLocation } from '../platform/crypto/sealed-text.ts';
import { SecretText } from '../platform/crypto/secret-text.ts';
import { newId } from '../platform/ids.ts';

/** Returns the column and row of the access token of a linked catalog account. */
export function accessTokenOf(row: { id: string; user_id: number }): SecretLocation {
  return { table: 'connections', column: 'secret', id: row.id, userId: row.user_id };
}

/**
 * Inserts users with a linked catalog account each, whose access token is `token <number>`, unique for each account.
 */
export async function insertSealedRows(context: Context, count: number): Promise<void> {
  const now = context.clock.now();
  const users = await context.db
    .insertInto('users')
    .values(Array.from({ length: count }, () => ({ email: `${newId()}@example.org`, created_at: now })))
    .returning('id')
    .execute();
  const rows = users.map(({ id: user_id }, number) => {
    const id = newId();
    const secret = context.secrets.seal(new SecretText(`token ${number}`), accessTokenOf({ id, user_id }));
    return { id, user_id, kind: 'web_catalog' as const, secret, account_id: id, label: `Somebody ${number}` };
  });
  await context.db
    .insertInto('connections')
    .values(rows.map((row) => ({ ...row, expires_at: now, connected_at: now })))
    .execute();
}

/** Decrypts all access tokens, in no particular order. */
export async function openSealedRows(context: Context): Promise<string[]> {
  const rows = await context.db.selectFrom('connections').selectAll().execute();
  return rows.map((row) => context.secrets.open(row.secret, accessTokenOf(row)).reveal());
}
