import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf, pageOf, pageQuery } from '../envelope.ts';
import { idParams, timestamp, uuid } from '../ids.ts';

/** Deck or player that plays a track. */
export const playSource = z.enum(['deck_a', 'deck_b', 'player']);

/** One play of a track. */
export const play = z.object({
  id: uuid,
  /** Null once the track is deleted for good. */
  track_id: uuid.nullable(),
  /** Title and artist at the time of the play. */
  title: z.string(),
  artist: z.string(),
  source: playSource,
  played_at: timestamp,
});

/** Plays without a pause of more than an hour between them, in order. */
export const playedSet = z.object({
  started_at: timestamp,
  ended_at: timestamp,
  plays: z.array(play),
});

/**
 * Counts a play of a track and adds it to the history.
 *
 * @spec Played sets
 */
export const recordPlay = endpoint({
  method: 'POST',
  path: '/api/tracks/:id/plays',
  summary: 'Count a play of a track',
  auth: 'api',
  scope: 'tracks:write',
  answersOnce: true,
  status: 201,
  errors: ['NOT_FOUND'],
  params: idParams,
  body: z.strictObject({ source: playSource }),
  reply: dataOf(play),
});

/**
 * Lists the caller's played sets, the newest first.
 *
 * @spec Played sets
 */
export const listPlayedSets = endpoint({
  method: 'GET',
  path: '/api/history',
  summary: 'Played sets of the caller',
  auth: 'api',
  scope: 'tracks:read',
  status: 200,
  query: z.strictObject(pageQuery),
  reply: pageOf(playedSet),
});
