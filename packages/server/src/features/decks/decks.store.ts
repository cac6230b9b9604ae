import { createDeckRecord, type DeckRecord } from '@stem-studio/contract/decks/take-deck-message';
import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { keptLogin } from '../accounts/index.ts';
import type { DeckSessionsTable } from './decks.tables.ts';
import { storedAcceptTimes, storedDeckState, storedTaken } from './stored-deck-session.ts';

type StoredRow = Selectable<DeckSessionsTable>;

/** A deck session with its record, upgraded from any stored version. */
export type DeckSessionRow = Omit<StoredRow, keyof DeckRecord> & DeckRecord;

function toRow(db: Db, row: StoredRow): DeckSessionRow {
  const empty = createDeckRecord();
  return {
    ...row,
    state: storedDeckState.read(db, row.state, row.id) ?? empty.state,
    taken: storedTaken.read(db, row.taken, row.id) ?? empty.taken,
    acceptTimes: storedAcceptTimes.read(db, row.accept_times, row.id) ?? empty.acceptTimes,
  };
}

/**
 * Returns the deck session of a login, created if missing; null if the login has ended. The call counts as use.
 *
 * @param first id and record of a new session
 */
export async function ensureDeckSession(
  db: Db,
  loginSessionId: string,
  first: { readonly id: string; readonly record: DeckRecord },
  now: Date,
): Promise<Pick<DeckSessionRow, 'id'> | null> {
  const { state, version, taken, acceptTimes } = first.record;
  // Waits for a concurrently ending login, so that no session is created that outlives it.
  const { rows } = await sql<Pick<DeckSessionRow, 'id'>>`
    insert into deck_sessions
      (id, login_session_id, user_id, state, version, taken, accept_times, created_at, updated_at)
    select ${first.id}::uuid, login.id, login.user_id, ${storedDeckState.toText(state)}::jsonb, ${version}::integer,
      ${storedTaken.toText(taken)}::jsonb, ${storedAcceptTimes.toText(acceptTimes)}::jsonb, ${now}::timestamptz, ${now}::timestamptz
    from ${keptLogin(loginSessionId)} as login
    on conflict (login_session_id) do update set updated_at = excluded.updated_at
    returning id`.execute(db);
  return rows[0] ?? null;
}

/**
 * Makes a transaction fail that waits longer than this for a lock of another process, because it holds a connection.
 */
export async function limitLockWait(tx: Tx): Promise<void> {
  await sql`set local lock_timeout = '5s'`.execute(tx);
}

/** Returns a user's deck session, or null. */
export async function findDeckSession(db: Db, userId: number, id: string): Promise<DeckSessionRow | null> {
  const row = await db
    .selectFrom('deck_sessions')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .executeTakeFirst();
  return row ? toRow(db, row) : null;
}

/** Returns a user's deck session, locked until the transaction ends, or null. */
export async function lockDeckSession(tx: Tx, userId: number, id: string): Promise<DeckSessionRow | null> {
  const row = await tx
    .selectFrom('deck_sessions')
    .selectAll()
    .where('id', '=', id)
    .where('user_id', '=', userId)
    .forUpdate()
    .executeTakeFirst();
  return row ? toRow(tx, row) : null;
}

/** Returns and locks a user's deck sessions that have the track on a deck, in a consistent order. */
export async function lockSessionsHolding(
  tx: Tx,
  userId: number,
  trackId: string,
): Promise<DeckSessionRow[]> {
  const rows = await tx
    .selectFrom('deck_sessions')
    .selectAll()
    .where('user_id', '=', userId)
    .where(sql<boolean>`${trackId} in (state #>> '{decks,a,track_id}', state #>> '{decks,b,track_id}')`)
    .orderBy('id')
    .forUpdate()
    .execute();
  return rows.map((row) => toRow(tx, row));
}

/** Writes the changed fields of a deck session. */
export async function updateDeckSession(
  tx: Tx,
  before: DeckSessionRow,
  { state, version, taken, acceptTimes }: DeckRecord,
  now: Date,
): Promise<void> {
  await tx
    .updateTable('deck_sessions')
    .set({
      ...(state !== before.state && { state: storedDeckState.toText(state), version }),
      ...(taken !== before.taken && { taken: storedTaken.toText(taken) }),
      ...(acceptTimes !== before.acceptTimes && { accept_times: storedAcceptTimes.toText(acceptTimes) }),
      updated_at: now,
    })
    .where('id', '=', before.id)
    .execute();
}

/** Sets the time until which these deck sessions publish to their debug logs. */
export async function updateDebugUntil(db: Db, ids: readonly string[], until: Date): Promise<void> {
  if (ids.length === 0) return;
  await db.updateTable('deck_sessions').set({ debug_until: until }).where('id', 'in', ids).execute();
}

/** Deletes deck sessions without activity since `before`. */
export async function deleteIdleSessions(db: Db, before: Date): Promise<void> {
  await db.deleteFrom('deck_sessions').where('updated_at', '<', before).execute();
}
