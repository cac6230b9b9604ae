import type { Insertable, Selectable, Updateable } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { CatalogAccountsTable } from '../accounts.tables.ts';

/** A link between a user and an account at the catalog. Its tokens are sealed. */
export type CatalogAccountRow = Selectable<CatalogAccountsTable>;

/** The link of a catalog account, locked until the transaction ends; null when nobody has it. */
export async function lockByAccountId(tx: Tx, accountId: string): Promise<CatalogAccountRow | null> {
  const row = await tx
    .selectFrom('catalog_accounts')
    .selectAll()
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** The user's link, or null. */
export async function findByUser(db: Db, userId: number): Promise<CatalogAccountRow | null> {
  const row = await db
    .selectFrom('catalog_accounts')
    .selectAll()
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ?? null;
}

/** The user's link, locked until the transaction ends; null when there is none. */
export async function lockByUser(tx: Tx, userId: number): Promise<CatalogAccountRow | null> {
  const row = await tx
    .selectFrom('catalog_accounts')
    .selectAll()
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Links; false when the user or the account has a link already. */
export async function insertCatalogAccount(tx: Tx, row: Insertable<CatalogAccountsTable>): Promise<boolean> {
  const inserted = await tx
    .insertInto('catalog_accounts')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Changes what a link holds. */
export async function updateCatalogAccount(
  tx: Tx,
  id: string,
  change: Updateable<CatalogAccountsTable>,
): Promise<void> {
  await tx.updateTable('catalog_accounts').set(change).where('id', '=', id).execute();
}

/** Unlinks, and the tokens are gone. */
export async function deleteCatalogAccount(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('catalog_accounts').where('id', '=', id).execute();
}
