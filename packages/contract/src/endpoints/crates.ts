import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf, pageOf, pageQuery } from '../envelope.ts';
import { idParams, uuid } from '../ids.ts';
import { crateBounds, trackBounds } from '../limits.ts';
import { crate } from '../resources/crate.ts';
import { track } from '../resources/track.ts';

const name = z.string().trim().min(1).max(crateBounds.name);
const query = z.string().trim().min(1).max(crateBounds.query);
const position = z.int().min(0).max(crateBounds.tracks);
const trackIds = z.array(uuid).min(1).max(trackBounds.batch);

/** Lists the caller's crates in their order. */
export const listCrates = endpoint({
  method: 'GET',
  path: '/api/crates',
  summary: 'Crates of the caller',
  auth: 'api',
  scope: 'tracks:read',
  status: 200,
  reply: dataOf(z.array(crate)),
});

/** Creates a crate after the others; with a `query` a smart crate. */
export const createCrate = endpoint({
  method: 'POST',
  path: '/api/crates',
  summary: 'Create a crate',
  auth: 'api',
  scope: 'tracks:write',
  answersOnce: true,
  status: 201,
  errors: ['CRATE_FULL'],
  body: z.strictObject({ name, query: query.optional() }),
  reply: dataOf(crate),
});

/** Renames a crate, moves it among the others, or changes the search of a smart crate. */
export const updateCrate = endpoint({
  method: 'PATCH',
  path: '/api/crates/:id',
  summary: 'Rename or move a crate, or change its search',
  auth: 'api',
  scope: 'tracks:write',
  status: 200,
  errors: ['NOT_FOUND', 'CRATE_IS_SMART'],
  params: idParams,
  body: z.strictObject({ name, query, position }).partial(),
  reply: dataOf(crate),
});

/** Deletes a crate, not its tracks. */
export const deleteCrate = endpoint({
  method: 'DELETE',
  path: '/api/crates/:id',
  summary: 'Delete a crate',
  auth: 'api',
  scope: 'tracks:write',
  status: 204,
  errors: ['NOT_FOUND'],
  params: idParams,
});

/** Lists the tracks of a crate in their order; those of a smart crate by the time they were added, the newest first. */
export const listCrateTracks = endpoint({
  method: 'GET',
  path: '/api/crates/:id/tracks',
  summary: 'Tracks of a crate',
  auth: 'api',
  scope: 'tracks:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  query: z.strictObject(pageQuery),
  reply: pageOf(track),
});

/**
 * Puts tracks into a crate at a position, at the end without one, in the given order. Tracks that are in it already
 * are moved there, so this also reorders.
 */
export const putCrateTracks = endpoint({
  method: 'POST',
  path: '/api/crates/:id/tracks',
  summary: 'Add tracks to a crate or move them in it',
  auth: 'api',
  scope: 'tracks:write',
  status: 200,
  errors: ['NOT_FOUND', 'CRATE_IS_SMART', 'CRATE_FULL'],
  params: idParams,
  body: z.strictObject({ track_ids: trackIds, position: position.optional() }),
  reply: dataOf(crate),
});

/** Takes tracks out of a crate; ids that are not in it are ignored. */
export const removeCrateTracks = endpoint({
  method: 'POST',
  path: '/api/crates/:id/tracks/remove',
  summary: 'Remove tracks from a crate',
  auth: 'api',
  scope: 'tracks:write',
  status: 200,
  errors: ['NOT_FOUND', 'CRATE_IS_SMART'],
  params: idParams,
  body: z.strictObject({ track_ids: trackIds }),
  reply: dataOf(crate),
});
