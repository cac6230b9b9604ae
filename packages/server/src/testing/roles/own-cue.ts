import { newId } from '../../platform/ids.ts';
import type { Belongings } from './belongings.ts';

/** Inserts a cue point found in a new track of the owner's and returns its id. */
export async function insertCueOf(has: Belongings, deleted_at: Date | null = null): Promise<string> {
  const { id: track_id } = await has.track();
  const now = has.context.clock.now();
  const id = newId();
  await has.context.db
    .insertInto('cue_points')
    .values({
      id,
      track_id,
      kind: 'drop',
      label: 'Drop',
      position_ms: 0,
      beat: 1,
      bar: 1,
      loop_beats: null,
      color: '#ff5d5d',
      source: 'auto',
      rank: 1,
      confidence: 0.5,
      is_edited: false,
      is_promoted: false,
      created_at: now,
      updated_at: now,
      deleted_at,
    })
    .execute();
  return id;
}
