import { type Insertable, type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { ConnectionKind, ConnectionsTable } from './connections.tables.ts';

/** A user's connection to another service, with encrypted secrets. */
export type ConnectionRow = Selectable<ConnectionsTable>;

/** Returns the user's connection of this kind, or null. */
export async function findConnection(
  db: Db,
  userId: number,
  kind: ConnectionKind,
): Promise<ConnectionRow | null> {
  const row = await db
    .selectFrom('connections')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the connection with this id, or null. */
export async function findConnectionById(db: Db, id: string): Promise<ConnectionRow | null> {
  return (await db.selectFrom('connections').selectAll().where('id', '=', id).executeTakeFirst()) ?? null;
}

/** Returns the user's connection of this kind, locked until the transaction ends; null if there is none. */
export async function lockConnection(
  tx: Tx,
  userId: number,
  kind: ConnectionKind,
): Promise<ConnectionRow | null> {
  const row = await tx
    .selectFrom('connections')
    .selectAll()
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Returns the connection of an account at a service, locked until the transaction ends; null if no user has it. */
export async function lockConnectionOfAccount(
  tx: Tx,
  kind: ConnectionKind,
  accountId: string,
): Promise<ConnectionRow | null> {
  const row = await tx
    .selectFrom('connections')
    .selectAll()
    .where('kind', '=', kind)
    .where('account_id', '=', accountId)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/** Serialises changes to one connection of a user until the transaction ends, even if it does not exist yet. */
export async function lockConnecting(tx: Tx, userId: number, kind: ConnectionKind): Promise<void> {
  const name = `connection ${kind} ${userId}`;
  await sql`select pg_advisory_xact_lock(hashtextextended(${name}, 0))`.execute(tx);
}

/** Inserts a connection; false if the user already has one of this kind, or the account belongs to another user. */
export async function insertConnection(tx: Tx, row: Insertable<ConnectionsTable>): Promise<boolean> {
  const inserted = await tx
    .insertInto('connections')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .returning('id')
    .executeTakeFirst();
  return inserted !== undefined;
}

/** Updates a connection. */
export async function updateConnection(
  tx: Tx,
  id: string,
  change: Updateable<ConnectionsTable>,
): Promise<void> {
  await tx.updateTable('connections').set(change).where('id', '=', id).execute();
}

/** Deletes the user's connection of this kind with its secrets. Returns its id, null if there was none. */
export async function deleteConnection(tx: Tx, userId: number, kind: ConnectionKind): Promise<string | null> {
  const row = await tx
    .deleteFrom('connections')
    .where('user_id', '=', userId)
    .where('kind', '=', kind)
    .returning('id')
    .executeTakeFirst();
  return row?.id ?? null;
}
