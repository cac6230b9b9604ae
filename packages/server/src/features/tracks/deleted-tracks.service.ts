import { restoreWindowSeconds } from '@stem-studio/contract/limits';
import type { PipelineStep } from '../../platform/events.ts';
import { readDeletedTracks } from './track-storage.store.ts';

/** Reports the storage of a user's deleted tracks that can still be restored. */
export const reportDeletedTracks: PipelineStep<'usage.requested'> = async (
  _context,
  tx,
  { user_id, report },
) => {
  const { tracks, bytes, last_deleted_at } = await readDeletedTracks(tx, user_id);
  const removedAt =
    last_deleted_at && new Date(last_deleted_at.getTime() + restoreWindowSeconds * 1000).toISOString();
  report({ tracks, bytes, removed_at: removedAt });
};
