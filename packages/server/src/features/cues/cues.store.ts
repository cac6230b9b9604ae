import { sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import { withOwner } from '../../platform/owned.ts';
import { liveOwnerOf } from '../tracks/index.ts';
import type { CueRow } from './cues.tables.ts';

/** Serialises changes to the cue points of a track until the transaction ends. */
export async function lockCues(tx: Tx, trackId: string): Promise<void> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`cue points ${trackId}`}, 0))`.execute(tx);
}

/** Returns all cue points of a track in ascending order, including deleted ones. */
export function listCues(db: Db, trackId: string): Promise<CueRow[]> {
  return db
    .selectFrom('cue_points')
    .selectAll()
    .where('track_id', '=', trackId)
    .orderBy('position_ms')
    .orderBy('id')
    .execute();
}

/** Returns a cue point of an existing track, deleted or not, with its owner; or null. */
export async function findCue(db: Db, id: string): Promise<(CueRow & { readonly user_id: number }) | null> {
  const row = await db
    .selectFrom('cue_points')
    .selectAll()
    .select(liveOwnerOf(sql.ref('cue_points.track_id')).as('user_id'))
    .where('id', '=', id)
    .executeTakeFirst();
  return withOwner(row);
}

/** Stores new cue points. */
export async function insertCues(tx: Tx, rows: readonly CueRow[]): Promise<void> {
  if (rows.length > 0) await tx.insertInto('cue_points').values(rows).execute();
}

/** Updates a cue point. */
export async function updateCue(tx: Tx, id: string, change: Partial<Omit<CueRow, 'id'>>): Promise<void> {
  await tx.updateTable('cue_points').set(change).where('id', '=', id).execute();
}

/** Deletes cue points permanently. */
export async function removeCues(tx: Tx, ids: readonly string[]): Promise<void> {
  if (ids.length > 0) await tx.deleteFrom('cue_points').where('id', 'in', ids).execute();
}

/** Permanently deletes manual cue points that their owner deleted before `before`. */
export async function purgeCues(tx: Tx, trackId: string, before: Date): Promise<void> {
  await tx
    .deleteFrom('cue_points')
    .where('track_id', '=', trackId)
    .where('source', '=', 'manual')
    .where('is_promoted', '=', false)
    .where('deleted_at', '<', before)
    .execute();
}

/** Returns when the cue points of a track were last placed and why they are few, or null. */
export async function findPlan(
  db: Db,
  trackId: string,
): Promise<{ readonly reason: string | null; readonly placed_at: Date } | null> {
  const row = await db
    .selectFrom('cue_plans')
    .select(['reason', 'placed_at'])
    .where('track_id', '=', trackId)
    .executeTakeFirst();
  return row ?? null;
}

/** Records that the cue points of a track have been placed. */
export async function recordPlan(
  tx: Tx,
  plan: { readonly track_id: string; readonly reason: string | null; readonly placed_at: Date },
): Promise<void> {
  const { reason, placed_at } = plan;
  await tx
    .insertInto('cue_plans')
    .values(plan)
    .onConflict((conflict) => conflict.column('track_id').doUpdateSet({ reason, placed_at }))
    .execute();
}

/** Returns the undeleted cue points of these tracks, grouped by track and in ascending order. */
export function listCuesOfTracks(db: Db, trackIds: readonly string[]): Promise<CueRow[]> {
  return db
    .selectFrom('cue_points')
    .selectAll()
    .where('track_id', 'in', trackIds)
    .where('deleted_at', 'is', null)
    .orderBy('track_id')
    .orderBy('position_ms')
    .orderBy('id')
    .execute();
}
