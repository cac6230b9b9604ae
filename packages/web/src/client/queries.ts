import { getAccount, getUsage } from '@stem-studio/contract/endpoints/account';
import { getAnalysis } from '@stem-studio/contract/endpoints/analysis';
import { getBeatGrid } from '@stem-studio/contract/endpoints/beat-grid';
import { getCloudPrice, getCloudQuota } from '@stem-studio/contract/endpoints/cloudsep';
import { listCues } from '@stem-studio/contract/endpoints/cues';
import { listJobs } from '@stem-studio/contract/endpoints/jobs';
import { getMix, listMixes } from '@stem-studio/contract/endpoints/mixes';
import { listNetworks } from '@stem-studio/contract/endpoints/networks';
import { listNotes } from '@stem-studio/contract/endpoints/notes';
import { getProcessingJob, listModels } from '@stem-studio/contract/endpoints/processing';
import { listSeparations } from '@stem-studio/contract/endpoints/separations';
import {
  getTrack,
  listRelatedTracks,
  listTrackIds,
  listTracks,
  type TrackSort,
} from '@stem-studio/contract/endpoints/tracks';
import { listTrash } from '@stem-studio/contract/endpoints/trash';
import type { CloudStemType } from '@stem-studio/contract/resources/stem';
import type { Track } from '@stem-studio/contract/resources/track';
import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { call } from './call.ts';

/** Tracks per page of the library list. */
export const tracksPerPage = 100;

/** Search and order of the library list. */
export interface TrackView {
  q: string;
  sort: TrackSort;
  /** Crate that is listed; without one all tracks. */
  crate?: string;
  /** Whether only tracks of the last 30 days are listed. */
  isRecent?: boolean;
  /** Key and tempo that the order `fit` compares with. */
  fit?: Pick<Track, 'key' | 'bpm'>;
}

/**
 * Creates the query cache of the page. Nothing becomes stale by time: socket events report changes, and after a lost
 * connection the queries in use are refetched once.
 */
export function createQueryClient(): QueryClient {
  return new QueryClient({
    defaultOptions: {
      queries: {
        staleTime: Number.POSITIVE_INFINITY,
        gcTime: 5 * 60_000,
        refetchOnWindowFocus: false,
        refetchOnReconnect: false,
        networkMode: 'always',
        // A refused request would be refused again; only failed connections are retried.
        retry: (count, error) =>
          count < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 502),
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** The account of the user. */
export function accountQuery() {
  return queryOptions({
    queryKey: ['account'],
    queryFn: async ({ signal }) => (await call(getAccount, null, signal)).data,
  });
}

/** Storage and quotas of the user; refetched when a job ends or a track is deleted. */
export function usageQuery() {
  return queryOptions({
    queryKey: ['usage'],
    queryFn: async ({ signal }) => (await call(getUsage, null, signal)).data,
  });
}

/** Networks of the catalogue, for admins; refetched each time, because the command line may change them too. */
export function networksQuery() {
  return queryOptions({
    queryKey: ['networks'],
    queryFn: async ({ signal }) => (await call(listNetworks, null, signal)).data.networks,
    staleTime: 0,
  });
}

/** Page `page` (from 1) of the deleted tracks; refetched each time, because the time left runs. */
export function trashQuery(page: number) {
  return queryOptions({
    queryKey: ['trash', page],
    queryFn: ({ signal }) =>
      call(listTrash, { query: { page: String(page), page_size: String(tracksPerPage) } }, signal),
    staleTime: 0,
  });
}

/** The separation models with their availability; refetched each time, because an operator may add one. */
export function modelsQuery() {
  return queryOptions({
    queryKey: ['models'],
    queryFn: async ({ signal }) => (await call(listModels, null, signal)).data.models,
    staleTime: 0,
  });
}

/** Search and order of a view as query parameters. */
function viewParameters(view: TrackView) {
  const q = [view.isRecent ? 'added:30d' : '', view.q].filter((part) => part !== '').join(' ');
  return {
    sort: view.sort,
    ...(q !== '' && { q }),
    ...(view.crate !== undefined && { crate: view.crate }),
    ...(view.fit && { fit_key: view.fit.key }),
    ...(view.fit?.bpm && { fit_bpm: String(view.fit.bpm) }),
  };
}

/** Page `page` (from 1) of the library as `view` orders it. The matches of a search are not counted beyond the page. */
export function tracksQuery(view: TrackView, page: number) {
  return queryOptions({
    queryKey: ['tracks', view, page],
    queryFn: ({ signal }) => {
      const size = { page: String(page), page_size: String(tracksPerPage) };
      return call(listTracks, { query: { ...size, total: 'page', ...viewParameters(view) } }, signal);
    },
  });
}

/** The number of tracks in a list, in the metadata of a page; the order of the list does not matter. */
export function trackCountQuery({ q, crate, isRecent }: TrackView) {
  const view: TrackView = {
    q,
    sort: '-created_at',
    ...(crate !== undefined && { crate }),
    ...(isRecent && { isRecent }),
  };
  return queryOptions({
    queryKey: ['tracks', view, 'count'],
    queryFn: ({ signal }) => call(listTracks, { query: { page_size: '1', ...viewParameters(view) } }, signal),
  });
}

/** Returns the ids of rows `first` (from 0) to `last`, inclusive, as `view` orders them; to the end without `last`. */
export async function fetchTrackIds(view: TrackView, first: number, last: number | null): Promise<string[]> {
  const count = last === null ? {} : { count: String(last - first + 1) };
  const query = { first: String(first), ...count, ...viewParameters(view) };
  return (await call(listTrackIds, { query })).data;
}

/** Returns tracks by their ids in this order, without deleted ones. */
export async function fetchTracks(ids: readonly string[]): Promise<Track[]> {
  const byId = new Map<string, Track>();
  for (let at = 0; at < ids.length; at += tracksPerPage) {
    const part = ids.slice(at, at + tracksPerPage).join();
    const { data } = await call(listTracks, { query: { ids: part, page_size: String(tracksPerPage) } });
    for (const track of data) byId.set(track.id, track);
  }
  return ids.flatMap((id) => byId.get(id) ?? []);
}

/** One track. */
export function trackQuery(id: string) {
  return queryOptions({
    queryKey: ['track', id],
    queryFn: async ({ signal }) => (await call(getTrack, { params: { id } }, signal)).data,
  });
}

/** Tracks that fit a track by key and tempo; refetched each time, because the library changes. */
export function relatedQuery({ id, key, bpm }: Pick<Track, 'id' | 'key' | 'bpm'>) {
  return queryOptions({
    queryKey: ['related', id, key, bpm],
    staleTime: 0,
    queryFn: async ({ signal }) =>
      (await call(listRelatedTracks, { params: { id }, query: { limit: '12' } }, signal)).data,
  });
}

/** A separation and its stems. */
export function processingJobQuery(id: string | null) {
  return queryOptions({
    queryKey: ['processing-job', id],
    enabled: id !== null,
    queryFn: async ({ signal }) => (await call(getProcessingJob, { params: { id: id ?? '' } }, signal)).data,
  });
}

/** The separations that a track keeps, newest first. */
export function separationsQuery(trackId: string) {
  return queryOptions({
    queryKey: ['separations', trackId],
    queryFn: async ({ signal }) =>
      (await call(listSeparations, { params: { track_id: trackId } }, signal)).data,
  });
}

/** The newest analysis of a track, or null. */
export function analysisQuery(trackId: string) {
  return queryOptions({
    queryKey: ['analysis', trackId],
    queryFn: async ({ signal }) => {
      try {
        return (await call(getAnalysis, { params: { track_id: trackId } }, signal)).data;
      } catch (error) {
        if (error instanceof ApiError && error.status === 404) return null;
        throw error;
      }
    },
  });
}

/** The beat grid of a track, or null before its analysis. */
export function beatGridQuery(trackId: string) {
  return queryOptions({
    queryKey: ['grid', trackId],
    queryFn: async ({ signal }) => {
      try {
        return (await call(getBeatGrid, { params: { id: trackId } }, signal)).data;
      } catch (error) {
        if (error instanceof ApiError && error.code === 'TRACK_NOT_ANALYZED') return null;
        throw error;
      }
    },
  });
}

/** The cue points of a track. */
export function cuesQuery(trackId: string) {
  return queryOptions({
    queryKey: ['cues', trackId],
    queryFn: async ({ signal }) => (await call(listCues, { params: { id: trackId } }, signal)).data,
  });
}

/** The newest transcriptions of a track and of its stems. */
export function notesQuery(trackId: string) {
  return queryOptions({
    queryKey: ['notes', trackId],
    queryFn: async ({ signal }) =>
      (await call(listNotes, { params: { id: trackId }, query: {} }, signal)).data,
  });
}

/** The newest transcription jobs of a track. */
export function notesJobsQuery(trackId: string) {
  return queryOptions({
    queryKey: ['jobs', 'list', 'notes', trackId],
    queryFn: ({ signal }) =>
      call(listJobs, { query: { page_size: '10', type: 'notes', track_id: trackId } }, signal),
  });
}

/** The mixes of the user that are rendered or kept. */
export function mixesQuery() {
  return queryOptions({
    queryKey: ['mixes'],
    queryFn: async ({ signal }) => (await call(listMixes, null, signal)).data,
  });
}

/** A mix and its progress. */
export function mixQuery(id: string) {
  return queryOptions({
    queryKey: ['mixes', id],
    queryFn: async ({ signal }) => (await call(getMix, { params: { id } }, signal)).data,
  });
}

/** Price of a cloud separation of a track; refetched each time, because paid parts reduce it. */
export function cloudPriceQuery(trackId: string, stemTypes: readonly CloudStemType[], isPreview: boolean) {
  return queryOptions({
    queryKey: ['cloud', 'price', trackId, stemTypes.join(), isPreview],
    // Without a selected stem, the price of all stems at least shows whether there is a key.
    queryFn: async ({ signal }) => {
      const types = stemTypes.length === 0 ? {} : { stem_types: stemTypes.join() };
      const query = { track_id: trackId, ...types, preview: isPreview ? 'true' : 'false' } as const;
      return (await call(getCloudPrice, { query }, signal)).data;
    },
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

/** Remaining minutes at the cloud service; refetched each time. */
export function cloudQuotaQuery() {
  return queryOptions({
    queryKey: ['cloud', 'quota'],
    queryFn: async ({ signal }) => (await call(getCloudQuota, null, signal)).data,
    staleTime: 0,
    retry: false,
  });
}
