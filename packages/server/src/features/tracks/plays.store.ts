import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { PlaysTable } from './tracks.tables.ts';

/** Row of a play. */
export type PlayRow = Selectable<PlaysTable>;

/** Inserts a play and counts it on its track. */
export async function insertPlay(tx: Tx, row: PlayRow & { readonly track_id: string }): Promise<void> {
  await tx.insertInto('plays').values(row).execute();
  await tx
    .updateTable('tracks')
    .set({ play_count: sql`play_count + 1`, last_played_at: row.played_at })
    .where('id', '=', row.track_id)
    .execute();
}

/** First and last play of a set, with the number of all sets. */
interface SetSpan {
  readonly started_at: Date;
  readonly ended_at: Date;
  readonly total: number;
}

/** Returns spans of plays without a pause longer than `pauseSeconds`, the newest first. */
export async function listSetSpans(
  db: Db,
  userId: number,
  pauseSeconds: number,
  page: { readonly offset: number; readonly limit: number },
): Promise<SetSpan[]> {
  const { rows } = await sql<SetSpan>`
    with marked as (
      select played_at, coalesce(
        played_at - lag(played_at) over (order by played_at, id) > ${pauseSeconds} * interval '1 second', true) as is_first
      from plays where user_id = ${userId}
    ), numbered as (
      select played_at, count(*) filter (where is_first) over (order by played_at) as set_number from marked
    )
    select min(played_at) as started_at, max(played_at) as ended_at, (count(*) over ())::int as total
    from numbered group by set_number order by started_at desc
    offset ${page.offset} limit ${page.limit}`.execute(db);
  return rows;
}

/** Returns a user's plays within a span, in order. */
export function listPlays(db: Db, userId: number, from: Date, to: Date): Promise<PlayRow[]> {
  return db
    .selectFrom('plays')
    .selectAll()
    .where('user_id', '=', userId)
    .where('played_at', '>=', from)
    .where('played_at', '<=', to)
    .orderBy('played_at')
    .orderBy('id')
    .execute();
}

/** Returns all plays of a user, in order. */
export function listAllPlays(db: Db, userId: number): Promise<PlayRow[]> {
  return db
    .selectFrom('plays')
    .selectAll()
    .where('user_id', '=', userId)
    .orderBy('played_at')
    .orderBy('id')
    .execute();
}
