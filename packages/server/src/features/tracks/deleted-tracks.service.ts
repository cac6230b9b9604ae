import type { PipelineStep } from '../../platform/events.ts';
import { readDeletedTracks } from './track-storage.store.ts';
import { trashMs } from './trash-time.ts';

/** Reports the storage of a user's deleted tracks that can still be restored. */
export const reportDeletedTracks: PipelineStep<'usage.requested'> = async (
  context,
  tx,
  { user_id, report },
) => {
  const { tracks, bytes, last_deleted_at } = await readDeletedTracks(tx, user_id);
  const removedAt = last_deleted_at && new Date(last_deleted_at.getTime() + trashMs(context)).toISOString();
  report({ tracks, bytes, removed_at: removedAt });
};
