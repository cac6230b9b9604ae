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

/** A catalog link as a user pastes it; what it may look like is told by the parser. */
export const catalogUrl = z.string().trim().min(1, 'must not be empty').max(2048);

/** Looks up what a link leads to, and stores nothing. */
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

/** A track of a catalog by its id there. */
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

/** Albums and playlists of the studio's own catalogs, all of them or those with these words in their title or artist. */
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

/** How far the scan of the catalog folder is; null where the studio has no such folder. */
export const getCatalogScan = endpoint({
  method: 'GET',
  path: '/api/catalog/scan',
  summary: 'How far the scan of the catalog folder is',
  auth: 'api',
  scope: 'catalog:read',
  status: 200,
  reply: dataOf(catalogScan.nullable()),
});

/** Scans the catalog folder now, unless it is being scanned; answers as {@link getCatalogScan}. */
export const startCatalogScan = endpoint({
  method: 'POST',
  path: '/api/catalog/scan',
  summary: 'Scan the catalog folder now',
  auth: 'api',
  scope: 'catalog:write',
  status: 200,
  reply: dataOf(catalogScan.nullable()),
});

/** One line of an import's answer. */
export const importedItem = z.object({
  track_id: uuid,
  /** Null when the track was there already, with its audio. */
  job_id: uuid.nullable(),
  status: downloadStatus,
  existing: z.boolean(),
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
  body: z.strictObject({ url: catalogUrl, quality: downloadQuality.default('high') }),
  reply: dataOf(
    z.object({
      type: catalogType,
      items: z.array(importedItem),
      skipped: z.array(skippedItem),
      /** Of an album or a playlist with something new in it: its progress and its cancel. */
      import_id: uuid.nullable(),
    }),
  ),
});
