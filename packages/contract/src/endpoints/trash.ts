import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { pageOf, pageQuery } from '../envelope.ts';
import { idParams, timestamp } from '../ids.ts';
import { track } from '../resources/track.ts';

/** A deleted track in the trash. */
export const trashedTrack = z.object({
  track,
  deleted_at: timestamp,
  /** Time from which its files may be removed; until then it can be restored. */
  removed_at: timestamp,
  /** Whole seconds left until `removed_at`. */
  seconds_left: z.int().min(0),
  /** Stored bytes of its audio and stems; audio that another track uses too is included. */
  bytes: z.int().min(0),
});
/** A deleted track in the trash. */
export type TrashedTrack = z.infer<typeof trashedTrack>;

/**
 * Lists the caller's deleted tracks that can be restored, the last deleted first.
 *
 * @spec Deleted tracks
 */
export const listTrash = endpoint({
  method: 'GET',
  path: '/api/trash',
  summary: 'Deleted tracks that can be restored',
  auth: 'api',
  scope: 'tracks:read',
  status: 200,
  query: z.strictObject(pageQuery),
  reply: pageOf(trashedTrack),
});

/** Deletes one track in the trash for good; its files are removed at once, except audio that another track uses. */
export const purgeTrack = endpoint({
  method: 'DELETE',
  path: '/api/trash/:id',
  summary: 'Delete a track in the trash for good',
  auth: 'api',
  scope: 'tracks:write',
  freesDiskSpace: true,
  status: 204,
  errors: ['NOT_FOUND'],
  params: idParams,
});
