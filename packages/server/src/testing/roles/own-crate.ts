import { newId } from '../../platform/ids.ts';
import type { Belongings } from './belongings.ts';

/** Inserts a crate of the owner's with one track and returns both ids. */
export async function insertCrateOf(has: Belongings): Promise<{ id: string; trackId: string }> {
  const { id: trackId } = await has.track();
  const now = has.context.clock.now();
  const id = newId();
  const { db } = has.context;
  await db
    .insertInto('crates')
    .values({
      id,
      user_id: has.owner.id,
      name: has.owner.mark,
      query: null,
      position: 0,
      created_at: now,
      updated_at: now,
    })
    .execute();
  await db
    .insertInto('crate_tracks')
    .values({ crate_id: id, track_id: trackId, position: 0, added_at: now })
    .execute();
  return { id, trackId };
}
