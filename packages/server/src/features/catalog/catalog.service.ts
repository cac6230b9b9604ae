import type { CatalogItem, CatalogTrack, SkippedItem } from '@stem-studio/contract/resources/catalog';
import type { CatalogScan } from '@stem-studio/contract/resources/catalog-scan';
import type { Context } from '../../platform/context.ts';
import { failure, notFound } from '../../platform/errors.ts';
import type { StagingFile } from '../../platform/files/files.ts';
import { findFfmpeg } from '../../platform/process/ffmpeg.ts';
import { userCatalogToken } from '../accounts/index.ts';
import type {
  CatalogCollection,
  CatalogEntry,
  CatalogLook,
  CatalogProvider,
  CollectionList,
  CoverImage,
  ReceiveOptions,
} from './catalog-provider.ts';
import { createDemoAlbum } from './demo/demo-album.ts';
import { createFolderCatalog } from './folder/folder-catalog.ts';
import { createFolderScanner, type FolderScanner } from './folder/folder-scanner.ts';
import { siteOfLink } from './other-sites.ts';
import { isWebId, parseCatalogUrl } from './parse-catalog-url.ts';
import { createCatalogClient } from './web/catalog.client.ts';
import { createCoverCache } from './web/cover-cache.ts';
import { fetchCover } from './web/fetch-cover.ts';
import { resolveShortLink } from './web/resolve-short-link.ts';
import { createWebCatalog } from './web/web-catalog.ts';

/** The catalogs of one context. */
interface Catalogs {
  /** The demo album, and the operator's folder if there is one. */
  readonly local: readonly CatalogProvider[];
  /** Null while its credentials are not set. */
  readonly web: CatalogProvider | null;
  /** Scanner of the operator's folder; null where there is none. */
  readonly scanner: FolderScanner | null;
}

const catalogsOf = new WeakMap<Context, Catalogs>();

/** Returns the catalogs of this installation, created once per context. */
function catalogs(context: Context): Catalogs {
  let made = catalogsOf.get(context);
  if (!made) {
    const { catalogFolder: root } = context.config;
    const scanner = root === null ? null : createFolderScanner({ ...context, root });
    const hasFfmpeg = async () => (await findFfmpeg(context.config)) !== null;
    const folder =
      root !== null && scanner ? [createFolderCatalog(context.db, root, { scanner, hasFfmpeg })] : [];
    made = { local: [createDemoAlbum(), ...folder], web: openWebCatalog(context), scanner };
    catalogsOf.set(context, made);
  }
  return made;
}

function openWebCatalog({ config, clock }: Context): CatalogProvider | null {
  const { clientId, clientSecret, apiUrl, tokenUrl } = config.webCatalog;
  if (clientId === null || clientSecret === null) return null;
  const rules = { apiOrigin: new URL(apiUrl).origin };
  return createWebCatalog({
    client: createCatalogClient({ apiUrl, tokenUrl, clientId, clientSecret, clock }),
    host: config.catalog.hosts[0] ?? 'open.spotify.com',
    fetchCover: createCoverCache((address) => fetchCover(address, rules), clock),
  });
}

async function firstResult<T>(
  from: readonly CatalogProvider[],
  ask: (provider: CatalogProvider) => Promise<T | null>,
): Promise<T | null> {
  for (const provider of from) {
    const answer = await ask(provider);
    if (answer !== null) return answer;
  }
  return null;
}

function credentialsMissing() {
  return failure(
    'unauthorized',
    'the credentials of the web catalog are not configured on this studio; links of its own catalog (catalog:…) work, and so do uploads',
  );
}

/** Returns the error for a text that is no catalog link; it names the site of a link to another one. */
function notALink(context: Context, url: string) {
  const site = siteOfLink(url);
  const { hosts, shortHosts } = context.config.catalog;
  const isOwn = [...hosts, ...shortHosts].some((host) => siteOfLink(host) === site);
  return failure(
    'invalid_url',
    site === null || isOwn
      ? 'url must be a link to a track, an album or a playlist of the catalog, such as catalog:album:<id>'
      : `${site} links are not supported. Connect a catalog or upload the file.`,
  );
}

function toItem(type: 'album' | 'playlist', collection: CatalogCollection): CatalogItem {
  const tracks: CatalogTrack[] = [];
  const skipped: SkippedItem[] = [...collection.skipped];
  for (const { track, unusable } of collection.entries) {
    if (unusable === null) tracks.push(track);
    else skipped.push({ title: track.title, reason: unusable });
  }
  return { type, title: collection.title, tracks, skipped };
}

/**
 * Returns the item that a catalog link points to.
 *
 * @param userId requesting user; their own playlists are read with their catalog login, where the application may not
 * @throws `invalid_url` for text that is not a catalog link
 * @throws `unauthorized` for a link of the web catalog while its credentials are missing
 * @throws `NOT_FOUND` for an item that the catalog does not have
 * @spec Catalog links
 */
export async function lookUpLink(context: Context, userId: number, url: string): Promise<CatalogItem> {
  const link = parseCatalogUrl(url, context.config.catalog);
  if (!link) throw notALink(context, url);
  const { local, web } = catalogs(context);
  if (web === null && (link.kind === 'short' || link.catalog === 'web')) throw credentialsMissing();
  const { type, catalog, id } =
    link.kind === 'short' ? await resolveShortLink(link.url, context.config.catalog) : link;
  const from = catalog === 'web' && web ? [web] : local;
  if (type === 'track') return { type, track: usable(await firstResult(from, (one) => one.findTrack(id))) };
  const collection = await firstResult(from, (one) =>
    type === 'album'
      ? one.findAlbum(id)
      : one.findPlaylist(id, (refused) => userCatalogToken(context, userId, refused)),
  );
  if (!collection) throw notFound(`catalog ${type}`);
  return toItem(type, collection);
}

function usable(entry: CatalogEntry | null): CatalogTrack {
  if (!entry) throw notFound('catalog track');
  if (entry.unusable !== null) throw failure('AUDIO_NOT_ACCEPTED', entry.unusable, {});
  return entry.track;
}

/**
 * Returns the catalog track with this id, from the studio's own catalogs first.
 *
 * @throws `NOT_FOUND`
 * @throws `unauthorized` for an id that only the web catalog could have while its credentials are missing
 * @throws `AUDIO_NOT_ACCEPTED` for audio that cannot be read
 */
export async function showCatalogTrack(
  context: Context,
  catalogId: string,
  look: CatalogLook = 'fresh',
): Promise<CatalogTrack> {
  const { local, web } = catalogs(context);
  const entry = await firstResult(local, (one) => one.findTrack(catalogId, look));
  if (entry || !isWebId(catalogId)) return usable(entry);
  if (!web) throw credentialsMissing();
  return usable(await web.findTrack(catalogId));
}

/** Returns a page of search hits in the catalogs: the demo album, the folder, the web catalog. */
export async function searchCatalogs(
  context: Context,
  query: string,
  offset: number,
  limit: number,
): Promise<{ tracks: CatalogTrack[]; totalCount: number }> {
  const { local, web } = catalogs(context);
  const tracks: CatalogTrack[] = [];
  let totalCount = 0;
  for (const provider of web ? [...local, web] : local) {
    // The first hit of this provider on the page depends on the number of hits of the previous ones.
    const skip = Math.max(0, offset - totalCount);
    try {
      const hits = await provider.search(query, skip, Math.max(0, limit - tracks.length));
      tracks.push(...hits.entries.map((entry) => entry.track));
      totalCount += hits.totalCount;
    } catch (error) {
      // Hits of the local catalogs are returned even while the web catalog is unavailable.
      if (provider !== web || tracks.length === 0) throw error;
      context.log.warn({ err: error }, 'the web catalog could not be searched');
    }
  }
  return { tracks, totalCount };
}

/**
 * Returns a page of the albums and playlists of the studio's own catalogs. Those of the demo album come first, then
 * those of the folder.
 */
export async function findCollections(
  context: Context,
  query: string,
  offset: number,
  limit: number,
): Promise<CollectionList> {
  const wanted = query.split(/\s+/).filter(Boolean);
  const collections: CollectionList['collections'][number][] = [];
  let totalCount = 0;
  for (const provider of catalogs(context).local) {
    const skip = Math.max(0, offset - totalCount);
    const found = await provider.listCollections?.(wanted, skip, Math.max(0, limit - collections.length));
    collections.push(...(found?.collections ?? []));
    totalCount += found?.totalCount ?? 0;
  }
  return { collections, totalCount };
}

/** Returns the cover of a catalog track, or null. */
export function findCover(context: Context, catalogId: string): Promise<CoverImage | null> {
  const { local, web } = catalogs(context);
  const from = web && isWebId(catalogId) ? [...local, web] : local;
  return firstResult(from, (provider) => provider.findCover(catalogId));
}

/**
 * Writes the audio of a catalog track into `out`.
 *
 * @throws `catalog_error` when the catalog no longer has it
 */
export async function receiveTrack(
  context: Context,
  catalogId: string,
  out: StagingFile,
  options: ReceiveOptions,
): Promise<void> {
  for (const provider of catalogs(context).local) {
    if (provider.receive && (await provider.findTrack(catalogId, 'known')))
      return provider.receive(catalogId, out, options);
  }
  throw failure('catalog_error', 'the catalog no longer has this track');
}

/** Returns which catalogs the operator connected, beside the demo album. */
export function connectedCatalogs({ config }: Context): readonly ('folder' | 'web')[] {
  const { clientId, clientSecret } = config.webCatalog;
  return [
    ...(config.catalogFolder === null ? [] : (['folder'] as const)),
    ...(clientId === null || clientSecret === null ? [] : (['web'] as const)),
  ];
}

/** Returns the progress of the scan of the operator's folder; null where there is no such folder. */
export function showScan(context: Context): Promise<CatalogScan | null> {
  return catalogs(context).scanner?.state() ?? Promise.resolve(null);
}

/** Scans the operator's folder now, unless a scan is running. Returns the same as {@link showScan}. */
export async function startScan(context: Context): Promise<CatalogScan | null> {
  const { scanner } = catalogs(context);
  await scanner?.start();
  return showScan(context);
}

/** Scans the operator's folder when the service starts; the returned function stops the running scan. */
export async function startScanning(context: Context): Promise<() => Promise<void>> {
  const { scanner } = catalogs(context);
  await scanner?.start();
  return async () => scanner?.stop();
}
