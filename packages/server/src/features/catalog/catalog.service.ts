import type { CatalogItem, CatalogTrack, SkippedItem } from '@stem-studio/contract/resources/catalog';
import type { Context } from '../../context.ts';
import { failure, notFound } from '../../platform/errors.ts';
import type { AsideFile } from '../../platform/files/files.ts';
import type { CatalogCollection, CatalogProvider, CoverPicture, ReceiveOptions } from './catalog-provider.ts';
import { createDemoAlbum } from './demo/demo-album.ts';
import { createFolderCatalog } from './folder/folder-catalog.ts';
import { parseCatalogUrl } from './parse-catalog-url.ts';

const providersOf = new WeakMap<Context, readonly CatalogProvider[]>();

/** The catalogs of this house, made once for each context: the demo album, and the operator's folder when there is one. */
function providers(context: Context): readonly CatalogProvider[] {
  let list = providersOf.get(context);
  if (!list) {
    const { catalogFolder } = context.config;
    const folder =
      catalogFolder && createFolderCatalog(context.db, catalogFolder, () => context.clock.monotonicMs());
    list = [createDemoAlbum(), ...(folder ? [folder] : [])];
    providersOf.set(context, list);
  }
  return list;
}

async function firstAnswer<T>(
  context: Context,
  ask: (provider: CatalogProvider) => Promise<T | null>,
): Promise<T | null> {
  for (const provider of providers(context)) {
    const answer = await ask(provider);
    if (answer !== null) return answer;
  }
  return null;
}

function toItem(type: 'album' | 'playlist', collection: CatalogCollection): CatalogItem {
  const usable: CatalogTrack[] = [];
  const skipped: SkippedItem[] = [...collection.skipped];
  for (const { track, unusable } of collection.entries) {
    if (unusable === null) usable.push(track);
    else skipped.push({ title: track.title, reason: unusable });
  }
  return { type, title: collection.title, tracks: usable, skipped };
}

/**
 * What a catalog link leads to. Throws `invalid_url` for what is no catalog link, `unauthorized` for a link of the web
 * catalog while its credentials are missing, `NOT_FOUND` for what the catalog does not have.
 *
 * @spec Catalog, download, processing, analysis
 */
export async function lookUpLink(context: Context, url: string): Promise<CatalogItem> {
  const link = parseCatalogUrl(url, context.config.catalog);
  if (!link) {
    throw failure(
      'invalid_url',
      'url must be a link to a track, an album or a playlist of the catalog, such as catalog:album:<id>',
    );
  }
  if (link.kind === 'short' || link.catalog === 'web') {
    throw failure(
      'unauthorized',
      'the credentials of the web catalog are not configured on this studio; links of its own catalog (catalog:…) work, and so do uploads',
    );
  }
  if (link.type === 'track') {
    const entry = await firstAnswer(context, (provider) => provider.findTrack(link.id));
    if (!entry) throw notFound('catalog track');
    if (entry.unusable !== null) throw failure('AUDIO_NOT_ACCEPTED', entry.unusable, {});
    return { type: 'track', track: entry.track };
  }
  const { type } = link;
  const collection = await firstAnswer(context, (provider) =>
    type === 'album' ? provider.findAlbum(link.id) : provider.findPlaylist(link.id),
  );
  if (!collection) throw notFound(`catalog ${type}`);
  return toItem(type, collection);
}

/** A page of what the catalogs have for these words, the demo album first. */
export async function searchCatalogs(
  context: Context,
  words: string,
  offset: number,
  limit: number,
): Promise<{ tracks: CatalogTrack[]; totalCount: number }> {
  const tracks: CatalogTrack[] = [];
  let totalCount = 0;
  for (const provider of providers(context)) {
    // Where this provider's hits begin on the page depends on how many the ones before it had.
    const skip = Math.max(0, offset - totalCount);
    const hits = await provider.search(words, skip, Math.max(0, limit - tracks.length));
    tracks.push(...hits.entries.map((entry) => entry.track));
    totalCount += hits.totalCount;
  }
  return { tracks, totalCount };
}

/** The cover of a catalog track, or null. */
export function findCover(context: Context, catalogId: string): Promise<CoverPicture | null> {
  return firstAnswer(context, (provider) => provider.findCover(catalogId));
}

/** Writes the sound of a catalog track into `out`. Throws `catalog_error` when the catalog has it no longer. */
export async function receiveTrack(
  context: Context,
  catalogId: string,
  out: AsideFile,
  options: ReceiveOptions,
): Promise<void> {
  for (const provider of providers(context)) {
    if (await provider.findTrack(catalogId)) return provider.receive(catalogId, out, options);
  }
  throw failure('catalog_error', 'the catalog no longer has this track');
}
