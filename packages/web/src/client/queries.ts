import { getAccount, getUsage } from '@stem-studio/contract/endpoints/account';
import { getAnalysis } from '@stem-studio/contract/endpoints/analysis';
import { getBeatGrid } from '@stem-studio/contract/endpoints/beat-grid';
import { getCatalogScan, listCollections, searchCatalog } from '@stem-studio/contract/endpoints/catalog';
import { getCloudPrice, getCloudQuota } from '@stem-studio/contract/endpoints/cloudsep';
import { listCues } from '@stem-studio/contract/endpoints/cues';
import { getImport, listImports } from '@stem-studio/contract/endpoints/imports';
import { listJobs } from '@stem-studio/contract/endpoints/jobs';
import { listNotes } from '@stem-studio/contract/endpoints/notes';
import { getProcessingJob, listModels } from '@stem-studio/contract/endpoints/processing';
import { listSources } from '@stem-studio/contract/endpoints/sources';
import {
  getTrack,
  listRelatedTracks,
  listTracks,
  type TrackSort,
} from '@stem-studio/contract/endpoints/tracks';
import type { CloudStemType } from '@stem-studio/contract/resources/stem';
import type { Track } from '@stem-studio/contract/resources/track';
import { keepPreviousData, QueryClient, queryOptions } from '@tanstack/react-query';
import { ApiError } from './api-error.ts';
import { call } from './call.ts';

/** Tracks on one page of the library list. */
export const tracksPerPage = 100;

/** What the library list shows: which words, in which order. */
export interface TrackView {
  q: string;
  sort: TrackSort;
  /** What the order `fit` goes by. */
  fit?: Pick<Track, 'key' | 'bpm'>;
}

/**
 * The page's memory of what the service said. Nothing in it goes stale by time: the socket says what changed, and
 * after a lost connection everything in view is fetched once.
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
        // A refusal stays a refusal; only what never arrived is worth another attempt.
        retry: (count, error) =>
          count < 2 && (!(error instanceof ApiError) || error.status === 0 || error.status >= 502),
      },
      mutations: { networkMode: 'always' },
    },
  });
}

/** Who is logged in. */
export function accountQuery() {
  return queryOptions({
    queryKey: ['account'],
    queryFn: async ({ signal }) => (await call(getAccount, null, signal)).data,
  });
}

/** What the user stores and may store; refetched when a job ends and when a track is deleted. */
export function usageQuery() {
  return queryOptions({
    queryKey: ['usage'],
    queryFn: async ({ signal }) => (await call(getUsage, null, signal)).data,
  });
}

/** The separation models, each with what would serve it now: asked anew each time, an operator may have added one. */
export function modelsQuery() {
  return queryOptions({
    queryKey: ['models'],
    queryFn: async ({ signal }) => (await call(listModels, null, signal)).data.models,
    staleTime: 0,
  });
}

/** Page `page` (from 1) of the library as `view` orders it. */
export function tracksQuery(view: TrackView, page: number) {
  return queryOptions({
    queryKey: ['tracks', view, page],
    queryFn: ({ signal }) => {
      const query = {
        page: String(page),
        page_size: String(tracksPerPage),
        sort: view.sort,
        ...(view.q !== '' && { q: view.q }),
        ...(view.fit && { fit_key: view.fit.key }),
        ...(view.fit?.bpm && { fit_bpm: String(view.fit.bpm) }),
      };
      return call(listTracks, { query }, signal);
    },
  });
}

/** One track. */
export function trackQuery(id: string) {
  return queryOptions({
    queryKey: ['track', id],
    queryFn: async ({ signal }) => (await call(getTrack, { params: { id } }, signal)).data,
  });
}

/** What goes with a track by its key and tempo of now; asked again each time, the library changes. */
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

/** What the newest analysis of a track found; null where there is none yet. */
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

/** The beats that a track goes by; null where it was not analysed for them yet. */
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

/** The newest notes of a track and of each of its stems. */
export function notesQuery(trackId: string) {
  return queryOptions({
    queryKey: ['notes', trackId],
    queryFn: async ({ signal }) =>
      (await call(listNotes, { params: { id: trackId }, query: {} }, signal)).data,
  });
}

/** The newest jobs that make notes of a track. */
export function notesJobsQuery(trackId: string) {
  return queryOptions({
    queryKey: ['jobs', 'list', 'notes', trackId],
    queryFn: ({ signal }) =>
      call(listJobs, { query: { page_size: '10', type: 'notes', track_id: trackId } }, signal),
  });
}

/** What the search for a track's sound found, the best first; empty where nothing was searched for. */
export function sourcesQuery(trackId: string) {
  return queryOptions({
    queryKey: ['sources', trackId],
    queryFn: async ({ signal }) => (await call(listSources, { params: { id: trackId } }, signal)).data,
  });
}

/** Catalog entries that one list shows. */
const catalogPageSize = '50';

/** Albums and playlists of the studio's own catalogs, with these words or all. A folder changes: fresh each time. */
export function collectionsQuery(q: string) {
  return queryOptions({
    queryKey: ['collections', q],
    staleTime: 0,
    queryFn: ({ signal }) =>
      call(listCollections, { query: { ...(q === '' ? {} : { q }), page_size: catalogPageSize } }, signal),
  });
}

/** How far the scan of the catalog folder is; null where there is no such folder. Pushed when it changes. */
export const catalogScanQuery = queryOptions({
  queryKey: ['catalog-scan'],
  queryFn: async ({ signal }) => (await call(getCatalogScan, undefined, signal)).data,
});

/** Songs of all catalogs with these words. */
export function foundSongsQuery(q: string) {
  return queryOptions({
    queryKey: ['catalog-songs', q],
    staleTime: 0,
    queryFn: ({ signal }) => call(searchCatalog, { query: { q, page_size: catalogPageSize } }, signal),
  });
}

/** What a cloud separation of a track would cost; asked again each time, since it changes by what is paid. */
export function cloudPriceQuery(trackId: string, stemTypes: readonly CloudStemType[], isPreview: boolean) {
  return queryOptions({
    queryKey: ['cloud', 'price', trackId, stemTypes.join(), isPreview],
    // Without a stem nothing is asked for: the price of all tells at least whether there is a key.
    queryFn: async ({ signal }) => {
      const types = stemTypes.length === 0 ? {} : { stem_types: stemTypes.join() };
      const query = { track_id: trackId, ...types, preview: isPreview ? 'true' : 'false' } as const;
      return (await call(getCloudPrice, { query }, signal)).data;
    },
    staleTime: 0,
    placeholderData: keepPreviousData,
  });
}

/** The minutes at the cloud service; asked again each time. */
export function cloudQuotaQuery() {
  return queryOptions({
    queryKey: ['cloud', 'quota'],
    queryFn: async ({ signal }) => (await call(getCloudQuota, null, signal)).data,
    staleTime: 0,
    retry: false,
  });
}

/** Albums and playlists on their way into the library, the newest first. */
export function importsQuery() {
  return queryOptions({
    queryKey: ['imports'],
    queryFn: async ({ signal }) => (await call(listImports, null, signal)).data,
  });
}

/** How one import of an album or a playlist stands, finished or not. */
export function importQuery(id: string) {
  return queryOptions({
    queryKey: ['import', id],
    queryFn: async ({ signal }) => (await call(getImport, { params: { id } }, signal)).data,
  });
}

/** Jobs of each list on one page. */
const jobsPerList = 100;

/** The lists of the jobs page. Songs that an import still waits for stand in the import's own line. */
const jobLists = {
  running: { status: 'downloading,processing' },
  queued: { status: 'queued', import_id: 'none' },
  finished: { status: 'completed,failed' },
} as const;
/** Name of one list of the jobs page. */
export type JobListName = keyof typeof jobLists;

/** The newest jobs of a list, and how many there are in all. */
export function jobsQuery(name: JobListName) {
  return queryOptions({
    queryKey: ['jobs', 'list', name],
    queryFn: ({ signal }) =>
      call(listJobs, { query: { page_size: String(jobsPerList), ...jobLists[name] } }, signal),
  });
}

/** How many jobs wait or run. */
export function jobCountQuery() {
  return queryOptions({
    queryKey: ['jobs', 'count'],
    queryFn: async ({ signal }) => {
      const query = { page_size: '1', status: 'queued,downloading,processing' };
      return (await call(listJobs, { query }, signal)).meta.total_count;
    },
  });
}
