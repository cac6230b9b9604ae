import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf, pageOf, pageQuery } from '../envelope.ts';
import { catalogId, uuid } from '../ids.ts';
import {
  catalogCollection,
  catalogItem,
  catalogTrack,
  catalogType,
  skippedItem,
} from '../resources/catalog.ts';
import { catalogScan } from '../resources/catalog-scan.ts';
import { downloadQuality } from '../resources/download-job.ts';
import { downloadStatus } from '../states.ts';

/** Catalog link as pasted by a user; its form is checked by the link parser. */
export const catalogUrl = z.string().trim().min(1, 'must not be empty').max(2048);

/** Looks up the target of a catalog link without storing anything. */
export const fetchCatalog = endpoint({
  method: 'POST',
  path: '/api/catalog/fetch',
  summary: 'What a catalog link leads to',
  auth: 'api',
  scope: 'catalog:read',
  limit: 'catalog_fetch',
  status: 200,
  errors: ['invalid_url', 'catalog_error', 'unauthorized', 'NOT_FOUND'],
  body: z.strictObject({ url: catalogUrl }),
  reply: dataOf(catalogItem),
});

/** Returns a catalog track by its catalog id. */
export const getCatalogTrack = endpoint({
  method: 'GET',
  path: '/api/catalog/track/:catalog_id',
  summary: 'A track of the catalog',
  auth: 'api',
  scope: 'catalog:read',
  limit: 'catalog_fetch',
  status: 200,
  errors: ['catalog_error', 'unauthorized', 'NOT_FOUND', 'AUDIO_NOT_ACCEPTED'],
  params: z.object({ catalog_id: catalogId }),
  reply: dataOf(catalogTrack),
});

/** Searches the catalog by title, artist or album. */
export const searchCatalog = endpoint({
  method: 'GET',
  path: '/api/catalog/search',
  summary: 'Search the catalog',
  auth: 'api',
  scope: 'catalog:read',
  status: 200,
  errors: ['catalog_error', 'unauthorized'],
  query: z.strictObject({ q: z.string().trim().min(1).max(200), ...pageQuery }),
  reply: pageOf(catalogTrack),
});

/** Lists albums and playlists of the local catalogs, optionally filtered by terms in title or artist. */
export const listCollections = endpoint({
  method: 'GET',
  path: '/api/catalog/collections',
  summary: "Albums and playlists of the studio's own catalogs",
  auth: 'api',
  scope: 'catalog:read',
  status: 200,
  errors: ['catalog_error'],
  query: z.strictObject({ q: z.string().trim().max(200).default(''), ...pageQuery }),
  reply: pageOf(catalogCollection),
});

/** Returns the progress of the catalog folder scan; null if no catalog folder is configured. */
export const getCatalogScan = endpoint({
  method: 'GET',
  path: '/api/catalog/scan',
  summary: 'How far the scan of the catalog folder is',
  auth: 'api',
  scope: 'catalog:read',
  status: 200,
  reply: dataOf(catalogScan.nullable()),
});

/** Starts a scan of the catalog folder unless one is running; replies like {@link getCatalogScan}. */
export const startCatalogScan = endpoint({
  method: 'POST',
  path: '/api/catalog/scan',
  summary: 'Scan the catalog folder now',
  auth: 'api',
  scope: 'catalog:write',
  status: 200,
  reply: dataOf(catalogScan.nullable()),
});

/** Import result of one track. */
export const importedItem = z.object({
  track_id: uuid,
  /** Null if the track was already in the library with its audio. */
  job_id: uuid.nullable(),
  status: downloadStatus,
  existing: z.boolean(),
});

/** Returns the songs of a catalog link, and which of them are in the caller's library, without storing anything. */
export const previewImport = endpoint({
  method: 'POST',
  path: '/api/catalog/import/preview',
  summary: 'Songs of a catalog link, and those already in the library',
  auth: 'api',
  scope: 'catalog:read',
  limit: 'catalog_fetch',
  status: 200,
  errors: ['invalid_url', 'catalog_error', 'unauthorized', 'NOT_FOUND', 'AUDIO_NOT_ACCEPTED'],
  body: z.strictObject({ url: catalogUrl }),
  reply: dataOf(
    z.object({ item: catalogItem, library: z.array(z.object({ catalog_id: catalogId, track_id: uuid })) }),
  ),
});

/** Imports a track, an album or a playlist: a track record and a download job for each entry. */
export const importCatalog = endpoint({
  method: 'POST',
  path: '/api/catalog/import',
  summary: 'Import what a catalog link leads to',
  auth: 'api',
  scope: 'catalog:write',
  limit: 'import',
  answersOnce: true,
  status: 201,
  errors: ['invalid_url', 'catalog_error', 'unauthorized', 'NOT_FOUND', 'QUOTA_EXCEEDED'],
  body: z.strictObject({
    url: catalogUrl,
    quality: downloadQuality.default('high'),
    /** Imports only these songs of an album or a playlist; all without it. */
    catalog_ids: z.array(catalogId).min(1).max(10_000).optional(),
  }),
  reply: dataOf(
    z.object({
      type: catalogType,
      items: z.array(importedItem),
      skipped: z.array(skippedItem),
      /** Id for progress and cancellation of an album or playlist import; null if it contains nothing new. */
      import_id: uuid.nullable(),
    }),
  ),
});
