import { libraryChannel } from '@stem-studio/contract/events/library';
import type { Tx } from '../../platform/db/database.ts';
import { publish } from '../../platform/socket/publish.ts';
import { listSameAudio } from './same-audio.store.ts';
import { findTrack } from './tracks.store.ts';

/** Publishes that a track with new audio has the same samples as an older track of its owner, if there is one. */
export async function announceDuplicate(tx: Tx, trackId: string): Promise<void> {
  const track = await findTrack(tx, trackId);
  if (!track) return;
  const [oldestId] = await listSameAudio(tx, track);
  const existing = oldestId === undefined ? undefined : await findTrack(tx, oldestId);
  if (!existing || existing.created_at.getTime() > track.created_at.getTime()) return;
  await publish(tx, libraryChannel, { user_id: track.user_id }, 'duplicate_found', {
    track_id: track.id,
    title: track.title,
    existing: { track_id: existing.id, title: existing.title, artist: existing.artist },
  });
}
