import type { HandlerInput, ReplyOf } from '@stem-studio/contract/endpoint';
import type { listPlayedSets, recordPlay } from '@stem-studio/contract/endpoints/plays';
import { metaFor } from '@stem-studio/contract/envelope';
import type { Context } from '../../platform/context.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import * as store from './plays.store.ts';
import { announceTrack, findOwnedTrack } from './tracks.service.ts';

/** Longest pause within a played set, in seconds. */
const setPauseSeconds = 3600;

type Play = ReplyOf<typeof recordPlay>['data'];

function presentPlay({ id, track_id, title, artist, source, played_at }: store.PlayRow): Play {
  return { id, track_id, title, artist, source, played_at: played_at.toISOString() };
}

/** Counts a play of the caller's track and adds it to the history. Throws `NOT_FOUND`. */
export async function addPlay(
  context: Context,
  viewer: Viewer,
  trackId: string,
  { source }: HandlerInput<typeof recordPlay>['body'],
): Promise<Play> {
  const { id: track_id, title, artist } = await findOwnedTrack(context.db, viewer, trackId);
  const played_at = context.clock.now();
  const row = { id: newId(), user_id: viewer.id, track_id, title, artist, source, played_at };
  await context.db.transaction().execute(async (tx) => {
    await store.insertPlay(tx, row);
    await announceTrack(tx, track_id, 'track_updated');
  });
  return presentPlay(row);
}

/**
 * Returns a page of the caller's played sets, the newest first.
 *
 * @spec Played sets
 */
export async function showPlayedSets(
  context: Context,
  viewer: Viewer,
  { page, page_size }: HandlerInput<typeof listPlayedSets>['query'],
): Promise<ReplyOf<typeof listPlayedSets>> {
  const part = { offset: (page - 1) * page_size, limit: page_size };
  const spans = await store.listSetSpans(context.db, viewer.id, setPauseSeconds, part);
  const data = [];
  for (const { started_at, ended_at } of spans) {
    const plays = await store.listPlays(context.db, viewer.id, started_at, ended_at);
    data.push({
      started_at: started_at.toISOString(),
      ended_at: ended_at.toISOString(),
      plays: plays.map(presentPlay),
    });
  }
  return { data, meta: metaFor(page, page_size, spans[0]?.total ?? 0) };
}
