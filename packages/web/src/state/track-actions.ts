import { byteText } from '@stem-studio/contract/byte-text';
import { freeSpace } from '@stem-studio/contract/endpoints/account';
import { analyze } from '@stem-studio/contract/endpoints/analysis';
import { cancelJob, retryJob } from '@stem-studio/contract/endpoints/jobs';
import { deleteStems, separate } from '@stem-studio/contract/endpoints/processing';
import { chooseSeparation } from '@stem-studio/contract/endpoints/separations';
import { deleteTrack, restoreTrack } from '@stem-studio/contract/endpoints/tracks';
import { purgeTrack } from '@stem-studio/contract/endpoints/trash';
import type { CloudStemType } from '@stem-studio/contract/resources/stem';
import type { Track } from '@stem-studio/contract/resources/track';
import type { DeletedTracks } from '@stem-studio/contract/resources/usage';
import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import { type QueryClient, useQueryClient } from '@tanstack/react-query';
import { useMemo } from 'react';
import { countText } from '../base/format.ts';
import { errorText } from '../client/api-error.ts';
import { call } from '../client/call.ts';
import { forgetTrack, mergeTrack } from '../client/merge-events.ts';
import { usageQuery } from '../client/queries.ts';
import { decksWith } from './deck-holdings.state.ts';
import { pushUndo } from './library-undo.ts';
import { requestReload } from './load-request.state.ts';
import { goTo, route } from './route.state.ts';
import { deselect } from './selection.state.ts';
import { toast, toastError } from './toasts.state.ts';

/** How long Undo is offered, in milliseconds. */
const UNDO_MS = 10_000;

/** How a track is separated: by a local model, or into some stems in the cloud. A preview is the first minute. */
export type SeparationChoice =
  | { readonly model: SeparationModelName; readonly preview: boolean }
  | { readonly engine: 'cloud'; readonly stem_types: CloudStemType[]; readonly preview: boolean };

/** Actions on tracks and jobs. Failures are shown as a toast. */
export interface TrackActions {
  /** Deletes a track, also from the decks, and offers Undo. */
  remove(track: Pick<Track, 'id' | 'title'>): Promise<void>;
  /** Restores a deleted track, also on the decks that held it. */
  restore(track: Pick<Track, 'id' | 'title'>): Promise<void>;
  /** Deletes a track in the trash for good. */
  purge(track: Track): Promise<void>;
  /** Separates a track; without a choice the whole track by the fastest model. */
  separate(track: Track, choice?: SeparationChoice): Promise<void>;
  analyze(track: Track): Promise<void>;
  /** Deletes the stems of the default separation of a track, not the track or its audio. */
  removeStems(track: Track): Promise<void>;
  /** Deletes the stems of a separation. */
  removeSeparation(track: Track, jobId: string): Promise<void>;
  /** Makes a separation the default: decks and exports use it. */
  setDefaultSeparation(track: Track, jobId: string): Promise<void>;
  /** Empties the trash, which ends Undo. */
  freeSpace(): Promise<void>;
  cancel(jobId: string): Promise<void>;
  retry(jobId: string): Promise<void>;
}

/** A deleted track, and the decks that held it. */
interface Deletion {
  readonly track: Pick<Track, 'id' | 'title'>;
  readonly decks: ReturnType<typeof decksWith>;
}

/** Tracks deleted on this page and not restored since, the last one at the end. */
const deletions: Deletion[] = [];

/** Returns the actions, bound to the query cache. */
export function useTrackActions(): TrackActions {
  const client = useQueryClient();
  return useMemo(() => trackActions(client), [client]);
}

/** Text about the trash, and how much space emptying it frees. */
function removalText(deleted: DeletedTracks | null): string {
  if (!deleted || deleted.bytes === 0) return 'It is in the trash.';
  const frees = `frees ${byteText(deleted.bytes)}`;
  return deleted.tracks === 1
    ? `It is in the trash. Emptying the trash ${frees}.`
    : `It is in the trash with ${countText(deleted.tracks - 1, 'other track')}. Emptying the trash ${frees}.`;
}

function trackActions(client: QueryClient): TrackActions {
  const reportFailure = async (failure: string, action: () => Promise<unknown>) => {
    try {
      await action();
    } catch (error) {
      toastError(failure, errorText(error));
    }
  };
  const refetch = (...keys: string[]) =>
    Promise.all(keys.map((key) => client.invalidateQueries({ queryKey: [key] })));

  const removeSeparation = (track: Track, id: string) =>
    reportFailure(`The stems of “${track.title}” were not deleted`, async () => {
      const { data } = await call(deleteStems, { params: { id } });
      await client.invalidateQueries({ queryKey: ['track', track.id] });
      await refetch('tracks', 'usage', 'processing-job', 'separations');
      toast({
        title: `Deleted the stems of “${track.title}”`,
        description: `${byteText(data.freed_bytes)} freed.`,
        isError: false,
        timeoutMs: UNDO_MS,
        action: null,
      });
    });

  const forgetDeletion = (id: string): Deletion | null => {
    const at = deletions.findIndex(({ track }) => track.id === id);
    return at < 0 ? null : (deletions.splice(at, 1)[0] ?? null);
  };
  const confirm = (title: string) =>
    toast({ title, description: '', isError: false, timeoutMs: UNDO_MS, action: null });
  const restore = ({ id, title }: Pick<Track, 'id' | 'title'>, hasMessage: boolean) =>
    reportFailure(`“${title}” could not be restored`, async () => {
      const { data } = await call(restoreTrack, { params: { id } });
      mergeTrack(client, data);
      requestReload(forgetDeletion(id)?.decks ?? [], data);
      if (hasMessage) confirm(`Restored “${title}”`);
      await refetch('tracks', 'jobs', 'usage', 'trash');
    });

  return {
    restore: (track) => restore(track, true),
    purge: ({ id, title }) =>
      reportFailure(`“${title}” was not deleted`, async () => {
        await call(purgeTrack, { params: { id } });
        forgetDeletion(id);
        confirm(`Deleted “${title}” for good`);
        await refetch('usage', 'trash');
      }),
    remove: (track) =>
      reportFailure(`“${track.title}” was not deleted`, async () => {
        const decks = decksWith(track.id);
        await call(deleteTrack, { params: { id: track.id } });
        const deletion = { track, decks };
        deletions.push(deletion);
        pushUndo({ undo: () => restore(track, true), isOver: () => !deletions.includes(deletion) });
        deselect([track.id]);
        forgetTrack(client, track.id);
        if (route.getState().track === track.id) goTo({ track: null });
        void refetch('tracks', 'jobs');
        const usage = await client.fetchQuery({ ...usageQuery(), staleTime: 0 }).catch(() => null);
        toast({
          title: `Deleted “${track.title}”`,
          description: removalText(usage?.deleted ?? null),
          isError: false,
          timeoutMs: UNDO_MS,
          action: {
            label: 'Undo',
            perform: () => void restore(track, false),
          },
        });
      }),
    separate: (track, choice) =>
      reportFailure(`“${track.title}” was not separated`, async () => {
        await call(separate, { body: { track_id: track.id, ...choice } });
        await client.invalidateQueries({ queryKey: ['track', track.id] });
        await refetch('jobs');
      }),
    analyze: (track) =>
      reportFailure(`“${track.title}” was not analysed`, async () => {
        await call(analyze, { body: { track_id: track.id } });
        await client.invalidateQueries({ queryKey: ['track', track.id] });
        await refetch('jobs');
      }),
    removeStems: (track) =>
      track.stems_job_id === null ? Promise.resolve() : removeSeparation(track, track.stems_job_id),
    removeSeparation,
    setDefaultSeparation: (track, id) =>
      reportFailure(`The default separation of “${track.title}” was not changed`, async () => {
        await call(chooseSeparation, { params: { id } });
        await client.invalidateQueries({ queryKey: ['track', track.id] });
        await client.invalidateQueries({ queryKey: ['separations', track.id] });
      }),
    freeSpace: () =>
      reportFailure('The disk space was not freed', async () => {
        const { data } = await call(freeSpace);
        deletions.length = 0;
        await refetch('usage', 'trash');
        toast({
          title: `${byteText(data.freed_bytes)} freed`,
          description: `${countText(data.tracks, 'deleted track')} removed.`,
          isError: false,
          timeoutMs: UNDO_MS,
          action: null,
        });
      }),
    cancel: (jobId) =>
      reportFailure('The job was not cancelled', async () => {
        await call(cancelJob, { params: { id: jobId } });
        await refetch('jobs');
      }),
    retry: (jobId) =>
      reportFailure('The job was not retried', async () => {
        await call(retryJob, { params: { id: jobId } });
        await refetch('jobs');
      }),
  };
}
