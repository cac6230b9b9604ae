import type { Track } from '@stem-studio/contract/resources/track';
import type { Context } from '../../platform/context.ts';
import { findTracks, listTrackIds } from './all-tracks.store.ts';
import { presentTracks } from './tracks.service.ts';

const tracksAtOnce = 100;

/**
 * Yields all live tracks of a user in their wire format, oldest first. They come in groups, so that memory is bounded.
 * Tracks deleted meanwhile are left out.
 */
export async function* allTracksOf(context: Context, userId: number): AsyncGenerator<Track[]> {
  const ids = await listTrackIds(context.db, userId);
  for (let at = 0; at < ids.length; at += tracksAtOnce) {
    yield await presentTracks(context.db, await findTracks(context.db, ids.slice(at, at + tracksAtOnce)));
  }
}
