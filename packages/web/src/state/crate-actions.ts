import {
  createCrate,
  deleteCrate,
  putCrateTracks,
  removeCrateTracks,
  updateCrate,
} from '@stem-studio/contract/endpoints/crates';
import { trackBounds } from '@stem-studio/contract/limits';
import type { Crate } from '@stem-studio/contract/resources/crate';
import type { Track } from '@stem-studio/contract/resources/track';
import { type QueryClient, useQuery } from '@tanstack/react-query';
import { countText } from '../base/format.ts';
import { errorText } from '../client/api-error.ts';
import { call } from '../client/call.ts';
import { cratesQuery, refetchCrateLists } from '../client/crate-queries.ts';
import { fetchTrackIds, type TrackView } from '../client/queries.ts';
import { offerUndo } from './library-undo.ts';
import { goTo, route } from './route.state.ts';
import { toast, toastError } from './toasts.state.ts';

const NOTICE_MS = 6000;
const noCrates: readonly Crate[] = [];

// Undo is offered before the lists are fetched anew: a Ctrl+Z on what an event shows already must not undo what was
// done before.

type Tracks = readonly Pick<Track, 'id' | 'title'>[];

/** Returns the crates of the user in their order; none while they load. */
export function useCrates(): readonly Crate[] {
  return useQuery(cratesQuery()).data ?? noCrates;
}

/** Returns the crate that a view lists, if it holds tracks; null for a smart crate and for other lists. */
export function useListCrate({ crate }: TrackView): string | null {
  const crates = useCrates();
  return crates.find(({ id, query }) => id === crate && query === null)?.id ?? null;
}

/** Whether a view lists all tracks of a crate in the order of the crate. */
export function isInOwnOrder({ crate, q, sort }: TrackView): boolean {
  return crate !== undefined && q === '' && sort === 'position';
}

/** Returns the ids of the tracks in a crate in their order. */
function idsIn(crate: string): Promise<string[]> {
  return fetchTrackIds({ q: '', sort: 'position', crate }, 0, null);
}

async function attempt<Result>(failure: string, perform: () => Promise<Result>): Promise<Result | null> {
  try {
    return await perform();
  } catch (error) {
    toastError(failure, errorText(error));
    return null;
  }
}

function partsOf(ids: readonly string[]): (readonly string[])[] {
  const count = Math.ceil(ids.length / trackBounds.batch);
  return Array.from({ length: count }, (_, i) =>
    ids.slice(i * trackBounds.batch, (i + 1) * trackBounds.batch),
  );
}

async function put(id: string, ids: readonly string[], position?: number): Promise<void> {
  for (const [i, part] of partsOf(ids).entries()) {
    const at = position === undefined ? {} : { position: position + i * trackBounds.batch };
    await call(putCrateTracks, { params: { id }, body: { track_ids: [...part], ...at } });
  }
}

async function take(id: string, ids: readonly string[]): Promise<void> {
  for (const part of partsOf(ids)) {
    await call(removeCrateTracks, { params: { id }, body: { track_ids: [...part] } });
  }
}

async function refetch(client: QueryClient, id: string | null): Promise<void> {
  await Promise.all([
    client.invalidateQueries({ queryKey: ['crates'] }),
    ...(id === null ? [] : [refetchCrateLists(client, [id])]),
  ]);
}

function nameOf(client: QueryClient, id: string): string {
  return client.getQueryData(cratesQuery().queryKey)?.find((crate) => crate.id === id)?.name ?? 'the crate';
}

/** Adds tracks to the end of a crate, without those that are in it already, and offers Undo. */
export async function addToCrate(client: QueryClient, crateId: string, tracks: Tracks): Promise<void> {
  const name = nameOf(client, crateId);
  await attempt(`Nothing was added to “${name}”`, async () => {
    const known = new Set(await idsIn(crateId));
    const added = tracks.map(({ id }) => id).filter((id) => !known.has(id));
    const already = tracks.length - added.length;
    if (added.length === 0) {
      const title = `Already in “${name}”`;
      toast({ title, description: '', isError: false, timeoutMs: NOTICE_MS, action: null });
      return;
    }
    await put(crateId, added);
    const description = already === 0 ? '' : `${countText(already, 'track')} already in it.`;
    offerUndo(`Added ${countText(added.length, 'track')} to “${name}”`, description, () =>
      attempt(`The tracks were not removed from “${name}”`, async () => {
        await take(crateId, added);
        await refetch(client, crateId);
      }),
    );
    await refetch(client, crateId);
  });
}

/** Creates a crate with tracks after the other crates, and offers Undo. Returns it, or null after a failure. */
export function createCrateWith(client: QueryClient, name: string, tracks: Tracks): Promise<Crate | null> {
  return attempt(`“${name}” was not created`, async () => {
    const { data } = await call(createCrate, { body: { name } });
    const ids = [...new Set(tracks.map(({ id }) => id))];
    if (ids.length > 0) await put(data.id, ids);
    const description = ids.length === 0 ? '' : countText(ids.length, 'track');
    offerUndo(`Created “${name}”`, description, () => removeQuietly(client, data));
    await refetch(client, data.id);
    return data;
  });
}

/** Creates a smart crate that lists what a search finds. Returns it, or null after a failure. */
export function createSmartCrate(client: QueryClient, name: string, query: string): Promise<Crate | null> {
  return attempt(`“${name}” was not created`, async () => {
    const { data } = await call(createCrate, { body: { name, query } });
    offerUndo(`Created “${name}”`, 'It lists what the search finds.', () => removeQuietly(client, data));
    await refetch(client, null);
    return data;
  });
}

/** Changes name, search or position of a crate, and offers Undo. */
export async function changeCrate(
  client: QueryClient,
  crate: Crate,
  change: { name?: string; query?: string; position?: number },
): Promise<void> {
  const failure = `“${crate.name}” was not changed`;
  const send = (body: typeof change) =>
    attempt(failure, async () => {
      await call(updateCrate, { params: { id: crate.id }, body });
      void refetch(client, crate.id);
      void client.invalidateQueries({ queryKey: ['crate-count', crate.id] });
      return true;
    });
  if (!(await send(change))) return;
  const earlier = {
    ...(change.name !== undefined && { name: crate.name }),
    ...(change.query !== undefined && crate.query !== null && { query: crate.query }),
    ...(change.position !== undefined && { position: crate.position }),
  };
  const done = change.name !== undefined ? 'Renamed' : change.query === undefined ? 'Moved' : 'Changed';
  offerUndo(`${done} “${change.name ?? crate.name}”`, '', () => send(earlier));
}

/** Deletes a crate, not its tracks, and offers Undo. */
export async function removeCrate(client: QueryClient, crate: Crate): Promise<void> {
  await attempt(`“${crate.name}” was not deleted`, async () => {
    const ids = crate.query === null ? await idsIn(crate.id) : [];
    await call(deleteCrate, { params: { id: crate.id } });
    leave(crate.id);
    offerUndo(`Deleted “${crate.name}”`, 'Its tracks stay in the library.', () =>
      attempt(`“${crate.name}” was not restored`, async () => {
        const { name, query, position } = crate;
        const { data } = await call(createCrate, { body: { name, ...(query !== null && { query }) } });
        if (ids.length > 0) await put(data.id, ids);
        await call(updateCrate, { params: { id: data.id }, body: { position } });
        await refetch(client, data.id);
      }),
    );
    await refetch(client, null);
  });
}

async function removeQuietly(client: QueryClient, { id, name }: Crate): Promise<void> {
  await attempt(`“${name}” was not deleted`, async () => {
    await call(deleteCrate, { params: { id } });
    leave(id);
    await refetch(client, null);
  });
}

/** Leaves a crate that no longer exists. */
function leave(id: string): void {
  const { source } = route.getState();
  if (source.kind === 'crate' && source.id === id) goTo({ source: { kind: 'all' } });
}

/** Removes tracks from a crate, not from the library, and offers Undo. */
export async function removeFromCrate(client: QueryClient, crateId: string, tracks: Tracks): Promise<void> {
  const name = nameOf(client, crateId);
  await attempt(`Nothing was removed from “${name}”`, async () => {
    const before = await idsIn(crateId);
    await take(
      crateId,
      tracks.map(({ id }) => id),
    );
    offerUndo(`Removed ${countText(tracks.length, 'track')} from “${name}”`, '', () =>
      restoreOrder(client, crateId, before),
    );
    await refetch(client, crateId);
  });
}

/**
 * Moves tracks within a crate and offers Undo.
 *
 * @param gap row before which they are put, from 0 to the number of tracks in the crate
 */
export async function moveInCrate(
  client: QueryClient,
  crateId: string,
  trackIds: readonly string[],
  gap: number,
): Promise<void> {
  const name = nameOf(client, crateId);
  await attempt(`The order of “${name}” was not changed`, async () => {
    const before = await idsIn(crateId);
    const moved = new Set(trackIds);
    const position = before.slice(0, Math.max(0, gap)).filter((id) => !moved.has(id)).length;
    await put(crateId, trackIds, position);
    offerUndo(`Moved ${countText(trackIds.length, 'track')} in “${name}”`, '', () =>
      restoreOrder(client, crateId, before),
    );
    await refetch(client, crateId);
  });
}

async function restoreOrder(client: QueryClient, crateId: string, ids: readonly string[]): Promise<void> {
  await attempt('The crate was not restored', async () => {
    await put(crateId, ids, 0);
    await refetch(client, crateId);
  });
}
