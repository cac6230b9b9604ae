import { type RawBuilder, type Selectable, sql, type Updateable } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { liveOwnerOf } from '../tracks/index.ts';
import type { CratesTable } from './crates.tables.ts';

/** Row of a crate with the number of its tracks outside the trash. */
export type CrateRow = Selectable<CratesTable> & { readonly track_count: number };

const isLive = liveOwnerOf(sql.ref('crate_tracks.track_id'));

const trackCount = sql<number>`(
  select count(*)::int from crate_tracks where crate_id = crates.id and ${isLive} is not null)`;

function selectCrates(db: Db) {
  return db.selectFrom('crates').selectAll('crates').select(trackCount.as('track_count'));
}

/** Lists a user's crates in order. */
export function listCrates(db: Db, userId: number): Promise<CrateRow[]> {
  return selectCrates(db).where('user_id', '=', userId).orderBy('position').orderBy('id').execute();
}

/** Returns a crate of any user, or undefined. */
export function findCrate(db: Db, id: string): Promise<CrateRow | undefined> {
  return selectCrates(db).where('id', '=', id).executeTakeFirst();
}

/** Serialises changes of a user's crates until the transaction ends. */
export async function lockCrates(tx: Tx, userId: number): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`crates ${userId}`}, 0))`.execute(tx);
}

/** Inserts a crate. */
export async function insertCrate(tx: Tx, row: Selectable<CratesTable>): Promise<void> {
  await tx.insertInto('crates').values(row).execute();
}

/** Changes a crate. */
export async function updateCrate(tx: Tx, id: string, change: Updateable<CratesTable>): Promise<void> {
  await tx.updateTable('crates').set(change).where('id', '=', id).execute();
}

/** Numbers a user's crates in this order from 0. */
export async function orderCrates(tx: Tx, ids: readonly string[]): Promise<void> {
  await sql`update crates set position = listed.position - 1
    from unnest(${ids}::uuid[]) with ordinality as listed (id, position) where crates.id = listed.id`.execute(
    tx,
  );
}

/** Deletes a crate. */
export async function deleteCrate(tx: Tx, id: string): Promise<void> {
  await tx.deleteFrom('crates').where('id', '=', id).execute();
}

/** Lists the ids of all tracks in a crate in order, also of those in the trash. */
export async function listTrackIds(db: Db, crateId: string): Promise<string[]> {
  const rows = await db
    .selectFrom('crate_tracks')
    .select('track_id')
    .where('crate_id', '=', crateId)
    .orderBy('position')
    .orderBy('track_id')
    .execute();
  return rows.map(({ track_id }) => track_id);
}

/** Returns a statement that selects the tracks of a crate with their positions, also those in the trash. */
export function positionsIn(crateId: string): RawBuilder<unknown> {
  return sql`select track_id, position from crate_tracks where crate_id = ${crateId}`;
}

/** Returns which of these are live tracks of a user. */
export async function filterLiveTracks(db: Db, userId: number, ids: readonly string[]): Promise<Set<string>> {
  const { rows } = await sql<{ id: string }>`
    select id from unnest(${ids}::uuid[]) as asked (id)
    where ${liveOwnerOf(sql.ref('asked.id'))} = ${userId}`.execute(db);
  return new Set(rows.map(({ id }) => id));
}

/** Stores the tracks of a crate in this order; the times at which they were added stay. */
export async function writeTracks(tx: Tx, crateId: string, ids: readonly string[], now: Date): Promise<void> {
  await sql`delete from crate_tracks where crate_id = ${crateId} and track_id <> all (${ids}::uuid[])`.execute(
    tx,
  );
  await sql`
    insert into crate_tracks (crate_id, track_id, position, added_at)
    select ${crateId}::uuid, id, position - 1, ${now}::timestamptz
    from unnest(${ids}::uuid[]) with ordinality as listed (id, position)
    on conflict (crate_id, track_id) do update set position = excluded.position`.execute(tx);
}
