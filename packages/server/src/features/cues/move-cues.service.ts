import { movedMs } from '@stem-studio/contract/decks/move-with-grid';
import { beatLookupOf } from '@stem-studio/dsp/rhythm/grid/beat-lookup';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { PipelineEvents } from '../../platform/events.ts';
import { findNewestGrid } from '../analysis/index.ts';
import { findTrack } from '../tracks/index.ts';
import { announceCues } from './cues.service.ts';
import * as store from './cues.store.ts';
import { gridPositionOf } from './merge-cues.ts';

/**
 * Moves cue points that were on a beat to the same beat of the edited grid, deleted ones too, in the transaction of the
 * edit. Positions are whole milliseconds, rounded from the beat itself, so that many edits do not add up.
 */
export async function moveCuesWithGrid(
  context: Context,
  tx: Tx,
  { track_id, user_id, move }: PipelineEvents['grid.changed'],
): Promise<void> {
  const track = await findTrack(tx, track_id);
  if (!move || !track) return;
  await store.lockCues(tx, track_id);
  const moved = (await store.listCues(tx, track_id)).flatMap((row) => {
    const position_ms = Math.round(movedMs(row.position_ms, track.duration_ms, move));
    return position_ms === row.position_ms ? [] : [{ id: row.id, position_ms }];
  });
  if (moved.length === 0) return;
  const grid = beatLookupOf((await findNewestGrid(tx, track)) ?? {});
  const updated_at = context.clock.now();
  for (const { id, position_ms } of moved)
    await store.updateCue(tx, id, { position_ms, ...gridPositionOf(grid, position_ms), updated_at });
  await announceCues(tx, { id: track_id, user_id });
}
