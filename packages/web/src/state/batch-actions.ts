import { analyzeTracks } from '@stem-studio/contract/endpoints/analysis';
import { separateTracks } from '@stem-studio/contract/endpoints/processing';
import { deleteTrack, restoreTrack, updateTracks } from '@stem-studio/contract/endpoints/tracks';
import { trackBounds } from '@stem-studio/contract/limits';
import type { BatchResult } from '@stem-studio/contract/resources/batch-request';
import type { Track } from '@stem-studio/contract/resources/track';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { countText } from '../base/format.ts';
import { errorText } from '../client/api-error.ts';
import { call } from '../client/call.ts';
import { forgetTrack, mergeTrack } from '../client/merge-events.ts';
import { fetchTracks } from '../client/queries.ts';
import { offerUndo, pushUndo } from './library-undo.ts';
import { goTo, route } from './route.state.ts';
import { deselect, type SelectedTrack, selection } from './selection.state.ts';
import { toast, toastError } from './toasts.state.ts';
import { type TracksChange, undoChanges } from './undo-changes.ts';

/** How long a message about finished requests is shown, in milliseconds. */
const NOTICE_MS = 6000;

/** Requests that delete or restore tracks at the same time. */
const PARALLEL = 6;

/** Actions on several tracks. Failures are shown as a toast; Ctrl+Z undoes deletions and edits. */
export interface BatchActions {
  remove(tracks: readonly SelectedTrack[]): Promise<void>;
  separate(tracks: readonly SelectedTrack[]): Promise<void>;
  analyze(tracks: readonly SelectedTrack[]): Promise<void>;
  /** Changes fields of tracks. Returns why nothing was saved, or null. */
  edit(tracks: readonly SelectedTrack[], change: TracksChange): Promise<unknown>;
  /** Rates tracks, 0 to 5 stars. */
  rate(tracks: readonly SelectedTrack[], stars: number): Promise<void>;
}

/** Returns the actions, bound to the query cache. */
export function useBatchActions(): BatchActions {
  const client = useQueryClient();
  return useMemo(() => batchActions(client), [client]);
}

/** Returns tracks with all their fields: the selected ones that the page knows, the others from the service. */
export async function loadTracks(tracks: readonly SelectedTrack[]): Promise<Track[]> {
  const known = selection.getState().tracks;
  const missing = tracks.filter(({ id }) => !known.has(id)).map(({ id }) => id);
  const fetched = new Map((await fetchTracks(missing)).map((track) => [track.id, track]));
  return tracks.flatMap(({ id }) => known.get(id) ?? fetched.get(id) ?? []);
}

function batchActions(client: QueryClient): BatchActions {
  const refetch = (...keys: string[]) =>
    Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })));

  const request = async (
    tracks: readonly SelectedTrack[],
    { done, failure, send }: { done: string; failure: string; send: (ids: string[]) => Promise<BatchResult> },
  ) => {
    try {
      const results: BatchResult[] = [];
      for (const part of partsOf(tracks)) results.push(await send(part.map(({ id }) => id)));
      const accepted = results.flatMap((result) => result.accepted);
      const [refused, ...others] = results.flatMap((result) => result.refused);
      const left = refused ? `${countText(others.length + 1, 'track')} refused: ${refused.error}` : '';
      notify(`${done} ${countText(accepted.length, 'track')}`, left);
      for (const { track_id } of accepted) void client.invalidateQueries({ queryKey: ['track', track_id] });
      await refetch('jobs', 'tracks');
    } catch (error) {
      toastError(failure, errorText(error));
    }
  };

  const change = async (tracks: readonly SelectedTrack[], fields: TracksChange): Promise<Track[]> => {
    const changed: Track[] = [];
    for (const part of partsOf(tracks)) {
      const body = { track_ids: part.map(({ id }) => id), change: fields };
      changed.push(...(await call(updateTracks, { body })).data);
    }
    for (const track of changed) mergeTrack(client, track);
    return changed;
  };

  const edit = async (tracks: readonly SelectedTrack[], fields: TracksChange, done: string | null) => {
    try {
      // From the service: the copies of the page may be older than an edit elsewhere.
      const before = await fetchTracks(tracks.map(({ id }) => id));
      const changed = await change(before, fields);
      void refetch('tracks');
      const undo = async () => {
        try {
          for (const { tracks: group, fields: previous } of undoChanges(before, fields))
            await change(group, previous);
          await refetch('tracks');
        } catch (error) {
          toastError('The edit was not undone completely', errorText(error));
        }
      };
      if (done === null) pushUndo({ undo });
      else offerUndo(done, '', undo);
      const now = selection.getState();
      if (now.ids.size > 0) {
        const known = new Map(now.tracks);
        for (const track of changed) if (known.has(track.id)) known.set(track.id, track);
        selection.setState({ tracks: known });
      }
      return null;
    } catch (error) {
      return error;
    }
  };

  const restore = async (tracks: readonly SelectedTrack[]) => {
    const failed = await inParallel(tracks, async ({ id }) => {
      mergeTrack(client, (await call(restoreTrack, { params: { id } })).data);
    });
    await refetch('tracks', 'jobs', 'usage', 'trash');
    if (failed) toastError(`${countText(failed.count, 'track')} not restored`, errorText(failed.error));
  };

  return {
    async remove(tracks) {
      const removed: SelectedTrack[] = [];
      const failed = await inParallel(tracks, async (track) => {
        await call(deleteTrack, { params: { id: track.id } });
        removed.push(track);
        forgetTrack(client, track.id);
      });
      deselect(removed.map(({ id }) => id));
      if (removed.some(({ id }) => id === route.getState().track)) goTo({ track: null });
      void refetch('tracks', 'jobs', 'usage', 'trash');
      if (removed.length > 0) {
        const title = `Deleted ${countText(removed.length, 'track')}`;
        offerUndo(title, 'They are in the trash.', () => restore(removed));
      }
      if (failed) toastError(`${countText(failed.count, 'track')} not deleted`, errorText(failed.error));
    },
    separate: (tracks) =>
      request(tracks, {
        done: 'Separating',
        failure: 'The tracks were not separated',
        send: async (track_ids) => (await call(separateTracks, { body: { track_ids } })).data,
      }),
    analyze: (tracks) =>
      request(tracks, {
        done: 'Analysing',
        failure: 'The tracks were not analysed',
        send: async (track_ids) => (await call(analyzeTracks, { body: { track_ids } })).data,
      }),
    edit: (tracks, fields) => edit(tracks, fields, `Edited ${countText(tracks.length, 'track')}`),
    async rate(tracks, stars) {
      // The stars of a single row show the change.
      const done = tracks.length > 1 ? `Rated ${countText(tracks.length, 'track')}` : null;
      const error = await edit(tracks, { rating: stars }, done);
      if (error !== null) toastError('The rating was not saved', errorText(error));
    },
  };
}

function notify(title: string, description: string): void {
  toast({ title, description, isError: false, timeoutMs: NOTICE_MS, action: null });
}

/** Splits tracks into as many as one request may name. */
function partsOf(tracks: readonly SelectedTrack[]): (readonly SelectedTrack[])[] {
  const count = Math.ceil(tracks.length / trackBounds.batch);
  return Array.from({ length: count }, (_, i) =>
    tracks.slice(i * trackBounds.batch, (i + 1) * trackBounds.batch),
  );
}

/** Performs an action on each item, a few at a time. Returns how many failed, with the first error, or null. */
async function inParallel<Item>(
  items: readonly Item[],
  perform: (item: Item) => Promise<void>,
): Promise<{ count: number; error: unknown } | null> {
  const queue = [...items];
  let failed: { count: number; error: unknown } | null = null;
  const work = async () => {
    for (let item = queue.shift(); item !== undefined; item = queue.shift()) {
      try {
        await perform(item);
      } catch (error) {
        failed = { count: (failed?.count ?? 0) + 1, error: failed?.error ?? error };
      }
    }
  };
  await Promise.all(Array.from({ length: PARALLEL }, work));
  return failed;
}
