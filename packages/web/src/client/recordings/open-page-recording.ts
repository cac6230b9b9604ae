import { Scope } from '@stem-studio/audio/base/scope';
import { openRecordingWorker } from '@stem-studio/audio/recording/open-recording-worker';
import type { OpenRecordingStorage } from '@stem-studio/audio/recording/recording-storage';
import { pageTimeMs } from '../../base/page-time.ts';
import { randomName } from '../../base/random-name.ts';
import { holdRecording } from './recording-locks.ts';
import { openRecordingRoot } from './recording-root.ts';
import { readRecording } from './stored-recordings.ts';

// The recordings of this page are offered by no other page before it closes.
const page = new Scope();

/**
 * Returns how this page stores recordings as they run: in the browser's private storage, for the logged-in user.
 *
 * @param userId returns the id of the user; null if unknown, in which case nothing is stored
 */
export function createRecordingStorage(userId: () => number | null): OpenRecordingStorage {
  return (sampleRateHz, events) => {
    const user_id = userId();
    // Plain http has no private storage.
    if (user_id === null || !('storage' in navigator)) return null;
    const id = randomName();
    holdRecording(id, page);
    // Keeps the browser from removing it when the disk becomes full; the recording runs whatever it answers.
    void navigator.storage.persist?.().catch(() => false);
    const description = {
      version: 1,
      user_id,
      started_at: pageTimeMs(),
      sample_rate_hz: sampleRateHz,
    } as const;
    const read = async () => {
      const root = await openRecordingRoot();
      if (!root) throw new Error('the storage of this browser is not available any more');
      return readRecording(root, id);
    };
    return openRecordingWorker({ id, description, read }, events);
  };
}
