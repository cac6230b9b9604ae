import type { Context } from '../platform/context.ts';
import type { SealedPlace } from '../platform/crypto/sealed-text.ts';
import { SecretText } from '../platform/crypto/secret-text.ts';
import { newId } from '../platform/ids.ts';

/** The place of the access token of a linked catalog account. */
export function accessTokenOf(row: { id: string; user_id: number }): SealedPlace {
  return { table: 'catalog_accounts', column: 'access_token', id: row.id, userId: row.user_id };
}

/** Writes users with a linked catalog account each, whose access token is `token <number>`; no account has another. */
export async function insertSealedRows(context: Context, count: number): Promise<void> {
  const now = context.clock.now();
  const users = await context.db
    .insertInto('users')
    .values(Array.from({ length: count }, () => ({ email: `${newId()}@example.org`, created_at: now })))
    .returning('id')
    .execute();
  const rows = users.map(({ id: user_id }, number) => {
    const id = newId();
    const access_token = context.secrets.seal(
      new SecretText(`token ${number}`),
      accessTokenOf({ id, user_id }),
    );
    return { id, user_id, access_token, account_id: id, display_name: `Somebody ${number}` };
  });
  await context.db
    .insertInto('catalog_accounts')
    .values(rows.map((row) => ({ ...row, access_expires_at: now, linked_at: now })))
    .execute();
}

/** What the access tokens open to, in no particular order. */
export async function openSealedRows(context: Context): Promise<string[]> {
  const rows = await context.db.selectFrom('catalog_accounts').selectAll().execute();
  return rows.map((row) => context.secrets.open(row.access_token, accessTokenOf(row)).reveal());
}
