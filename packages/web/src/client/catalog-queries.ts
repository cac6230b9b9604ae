import {
  getCatalogScan,
  listCollections,
  previewImport,
  searchCatalog,
} from '@stem-studio/contract/endpoints/catalog';
import { getImport, listImports } from '@stem-studio/contract/endpoints/imports';
import { listSources } from '@stem-studio/contract/endpoints/sources';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

/** Audio sources found for a track, the best first; empty if no search was needed. */
export function sourcesQuery(trackId: string) {
  return queryOptions({
    queryKey: ['sources', trackId],
    queryFn: async ({ signal }) => (await call(listSources, { params: { id: trackId } }, signal)).data,
  });
}

/** Catalog entries per list. */
const catalogPageSize = '50';

/** Albums and playlists of the catalogs that match a search, or all; refetched each time, because a folder changes. */
export function collectionsQuery(q: string) {
  return queryOptions({
    queryKey: ['collections', q],
    staleTime: 0,
    queryFn: ({ signal }) =>
      call(listCollections, { query: { ...(q === '' ? {} : { q }), page_size: catalogPageSize } }, signal),
  });
}

/** The scan of the catalog folder, or null without a folder; events update it. */
export const catalogScanQuery = queryOptions({
  queryKey: ['catalog-scan'],
  queryFn: async ({ signal }) => (await call(getCatalogScan, undefined, signal)).data,
});

/** Songs of all catalogs that match a search. */
export function foundSongsQuery(q: string) {
  return queryOptions({
    queryKey: ['catalog-songs', q],
    staleTime: 0,
    queryFn: ({ signal }) => call(searchCatalog, { query: { q, page_size: catalogPageSize } }, signal),
  });
}

/** Songs of a catalog link, and those in the library; refetched each time, because both change. */
export function importPreviewQuery(url: string) {
  return queryOptions({
    queryKey: ['import-preview', url],
    staleTime: 0,
    gcTime: 0,
    queryFn: async ({ signal }) => (await call(previewImport, { body: { url } }, signal)).data,
  });
}

/** Running imports of albums and playlists, the newest first. */
export function importsQuery() {
  return queryOptions({
    queryKey: ['imports'],
    queryFn: async ({ signal }) => (await call(listImports, null, signal)).data,
  });
}

/** One import of an album or playlist, running or finished. */
export function importQuery(id: string) {
  return queryOptions({
    queryKey: ['import', id],
    queryFn: async ({ signal }) => (await call(getImport, { params: { id } }, signal)).data,
  });
}
