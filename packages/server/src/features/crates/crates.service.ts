import type { HandlerInput, ReplyOf } from '@stem-studio/contract/endpoint';
import type {
  createCrate,
  listCrateTracks,
  putCrateTracks,
  removeCrateTracks,
  updateCrate,
} from '@stem-studio/contract/endpoints/crates';
import { libraryChannel } from '@stem-studio/contract/events/library';
import { crateBounds } from '@stem-studio/contract/limits';
import type { Crate } from '@stem-studio/contract/resources/crate';
import type { Context } from '../../platform/context.ts';
import type { Db, Tx } from '../../platform/db/database.ts';
import { notFound, stateForbids } from '../../platform/errors.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { newId } from '../../platform/ids.ts';
import { type Owned, own } from '../../platform/owned.ts';
import { publish } from '../../platform/socket/publish.ts';
import { showTracks, type TrackSubset } from '../tracks/index.ts';
import * as store from './crates.store.ts';

function presentCrate(row: store.CrateRow): Crate {
  return {
    id: row.id,
    name: row.name,
    query: row.query,
    position: row.position,
    track_count: row.query === null ? row.track_count : null,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Returns the caller's crate. Throws `NOT_FOUND`, also for a crate of another user. */
async function findOwnCrate(db: Db, viewer: Viewer, id: string): Promise<Owned<store.CrateRow>> {
  const crate = own(viewer, await store.findCrate(db, id));
  if (!crate) throw notFound('crate');
  return crate;
}

function requireList(crate: store.CrateRow): void {
  if (crate.query !== null)
    throw stateForbids('CRATE_IS_SMART', 'a smart crate finds its tracks by its search: change the search');
}

const announce = (tx: Tx, viewer: Viewer, crate_id: string | null) =>
  publish(tx, libraryChannel, { user_id: viewer.id }, 'crates_updated', { crate_id });

/** Returns the caller's crates in order. */
export async function showCrates(context: Context, viewer: Viewer): Promise<Crate[]> {
  return (await store.listCrates(context.db, viewer.id)).map(presentCrate);
}

/**
 * Creates a crate after the others.
 *
 * @throws `CRATE_FULL` when the user has too many crates
 */
export async function addCrate(
  context: Context,
  viewer: Viewer,
  { name, query }: HandlerInput<typeof createCrate>['body'],
): Promise<Crate> {
  return context.db.transaction().execute(async (tx) => {
    await store.lockCrates(tx, viewer.id);
    const { length } = await store.listCrates(tx, viewer.id);
    if (length >= crateBounds.perUser)
      throw stateForbids('CRATE_FULL', `at most ${crateBounds.perUser} crates per user (you have ${length})`);
    const now = context.clock.now();
    const row = { id: newId(), user_id: viewer.id, name, query: query ?? null, position: length };
    await store.insertCrate(tx, { ...row, created_at: now, updated_at: now });
    await announce(tx, viewer, null);
    return presentCrate({ ...row, created_at: now, updated_at: now, track_count: 0 });
  });
}

/** Changes a crate in a transaction that holds the lock of its user's crates, and returns it. */
function change(
  context: Context,
  viewer: Viewer,
  id: string,
  perform: (tx: Tx, crate: Owned<store.CrateRow>) => Promise<void>,
): Promise<Crate> {
  return context.db.transaction().execute(async (tx) => {
    await store.lockCrates(tx, viewer.id);
    await perform(tx, await findOwnCrate(tx, viewer, id));
    await store.updateCrate(tx, id, { updated_at: context.clock.now() });
    await announce(tx, viewer, id);
    return presentCrate(await findOwnCrate(tx, viewer, id));
  });
}

/** Renames or moves a crate, or changes the search of a smart one. Throws `NOT_FOUND` or `CRATE_IS_SMART`. */
export function editCrate(
  context: Context,
  viewer: Viewer,
  id: string,
  { name, query, position }: HandlerInput<typeof updateCrate>['body'],
): Promise<Crate> {
  return change(context, viewer, id, async (tx, crate) => {
    if (query !== undefined && crate.query === null)
      throw stateForbids('CRATE_IS_SMART', 'a list has no search: create a smart crate');
    if (name !== undefined || query !== undefined) await store.updateCrate(tx, id, { name, query });
    if (position === undefined) return;
    const others = (await store.listCrates(tx, viewer.id)).map((one) => one.id).filter((one) => one !== id);
    await store.orderCrates(tx, others.toSpliced(position, 0, id));
  });
}

/** Deletes a crate, not its tracks. Throws `NOT_FOUND`. */
export async function dropCrate(context: Context, viewer: Viewer, id: string): Promise<void> {
  await context.db.transaction().execute(async (tx) => {
    await store.lockCrates(tx, viewer.id);
    await findOwnCrate(tx, viewer, id);
    await store.deleteCrate(tx, id);
    const rest = await store.listCrates(tx, viewer.id);
    await store.orderCrates(
      tx,
      rest.map((one) => one.id),
    );
    await announce(tx, viewer, null);
  });
}

/** Returns the part of the library that is in a crate; all of it without an id. Throws `NOT_FOUND`. */
export async function findSubset(
  context: Context,
  viewer: Viewer,
  id: string | undefined,
): Promise<TrackSubset> {
  if (id === undefined) return {};
  const { query } = await findOwnCrate(context.db, viewer, id);
  return query === null ? { positions: store.positionsIn(id) } : { q: query };
}

/** Returns a page of the tracks of a crate. Throws `NOT_FOUND`. */
export async function showCrateTracks(
  context: Context,
  viewer: Viewer,
  id: string,
  { page, page_size }: HandlerInput<typeof listCrateTracks>['query'],
): Promise<ReplyOf<typeof listCrateTracks>> {
  return showTracks(context, viewer, { page, page_size }, await findSubset(context, viewer, id));
}

/**
 * Puts tracks of the caller into a crate at a position, or moves them there.
 *
 * @throws `NOT_FOUND` if the crate or a track is missing; nothing is changed then
 * @throws `CRATE_IS_SMART`, `CRATE_FULL`
 */
export function putTracks(
  context: Context,
  viewer: Viewer,
  id: string,
  { track_ids, position }: HandlerInput<typeof putCrateTracks>['body'],
): Promise<Crate> {
  return change(context, viewer, id, async (tx, crate) => {
    requireList(crate);
    const added = [...new Set(track_ids)];
    const live = await store.filterLiveTracks(tx, viewer.id, added);
    const missing = added.find((one) => !live.has(one));
    if (missing !== undefined) throw notFound(`track ${missing}`);
    const kept = (await store.listTrackIds(tx, id)).filter((one) => !live.has(one));
    const next = position === undefined ? undefined : await findListedAt(tx, viewer, kept, position);
    const ids = kept.toSpliced(next === undefined ? kept.length : kept.indexOf(next), 0, ...added);
    if (ids.length > crateBounds.tracks)
      throw stateForbids(
        'CRATE_FULL',
        `a crate holds at most ${crateBounds.tracks} tracks (got ${ids.length})`,
      );
    await store.writeTracks(tx, id, ids, context.clock.now());
  });
}

/** Returns the track at a position of those that are listed, which the ones in the trash are not. */
async function findListedAt(
  tx: Tx,
  viewer: Viewer,
  ids: readonly string[],
  position: number,
): Promise<string | undefined> {
  const listed = await store.filterLiveTracks(tx, viewer.id, ids);
  return ids.filter((id) => listed.has(id))[position];
}

/** Takes tracks out of a crate. Throws `NOT_FOUND` or `CRATE_IS_SMART`. */
export function removeTracks(
  context: Context,
  viewer: Viewer,
  id: string,
  { track_ids }: HandlerInput<typeof removeCrateTracks>['body'],
): Promise<Crate> {
  return change(context, viewer, id, async (tx, crate) => {
    requireList(crate);
    const removed = new Set(track_ids);
    const ids = (await store.listTrackIds(tx, id)).filter((one) => !removed.has(one));
    await store.writeTracks(tx, id, ids, context.clock.now());
  });
}
