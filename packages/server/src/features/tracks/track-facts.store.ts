import { type Expression, type RawBuilder, sql } from 'kysely';
import type { Tx } from '../../platform/db/database.ts';

/** Column or value that holds the id of a track or of an audio source. */
type Id = Expression<unknown>;

/** Returns a subquery for the id of a track's owner; null where the track is deleted. */
export function liveOwnerOf(trackId: Id): RawBuilder<number | null> {
  return sql<number | null>`(select user_id from tracks where id = ${trackId} and deleted_at is null)`;
}

/** Returns the condition that a track is stored, deleted or not. */
export function trackExists(trackId: Id): RawBuilder<boolean> {
  return sql<boolean>`exists (select from tracks where id = ${trackId})`;
}

/** Returns the condition that a track, deleted or not, has audio. */
export function hasAudio(trackId: Id): RawBuilder<boolean> {
  return sql<boolean>`exists (select from tracks where id = ${trackId} and audio_source_id is not null)`;
}

/** Returns the condition that an audio source with this id (uuid) is stored. */
export function audioSourceExists(id: Id): RawBuilder<boolean> {
  return sql<boolean>`exists (select from audio_sources where id = ${id})`;
}

/** Locks the row of a track against deletion until the transaction ends. */
export async function keepTrack(tx: Tx, trackId: string): Promise<void> {
  await sql`select from tracks where id = ${trackId}::uuid for key share`.execute(tx);
}

/**
 * Locks a user's own track against changes until the transaction ends. A deletion waits, and then sees new references
 * to it.
 */
export async function keepOwnTrack(tx: Tx, userId: number, trackId: string): Promise<void> {
  await tx
    .selectFrom('tracks')
    .select('id')
    .where('id', '=', trackId)
    .where('user_id', '=', userId)
    .forShare()
    .execute();
}
