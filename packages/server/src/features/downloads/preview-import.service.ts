import type { CatalogItem } from '@stem-studio/contract/resources/catalog';
import type { Context } from '../../platform/context.ts';
import { invalid } from '../../platform/errors.ts';
import type { Viewer } from '../../platform/http/viewer.ts';
import { lookUpLink } from '../catalog/index.ts';
import { listInLibrary } from '../tracks/index.ts';

/** Returns the songs of a link, and those among them that are in the library. Stores nothing. */
export async function previewLink(context: Context, viewer: Viewer, url: string) {
  const item = await lookUpLink(context, viewer.id, url);
  const songs = item.type === 'track' ? [item.track] : item.tracks;
  const ids = songs.map((song) => song.catalog_id);
  return { item, library: await listInLibrary(context.db, viewer.id, ids) };
}

/**
 * Returns an album or a playlist with only some of its songs, in its own order. The skipped entries are left out then,
 * because none of them was chosen.
 *
 * @param catalogIds ids of the songs; undefined keeps all
 * @throws `VALIDATION_ERROR` for an id that is not among its songs
 */
export function chosenSongs(item: CatalogItem, catalogIds: readonly string[] | undefined): CatalogItem {
  if (catalogIds === undefined) return item;
  const songs = item.type === 'track' ? [item.track] : item.tracks;
  const known = new Set(songs.map((song) => song.catalog_id));
  const unknown = catalogIds.find((id) => !known.has(id));
  if (unknown !== undefined)
    throw invalid({ catalog_ids: [`must be songs of this ${item.type} (it does not contain ${unknown})`] });
  if (item.type === 'track') return item;
  const chosen = new Set(catalogIds);
  return { ...item, tracks: item.tracks.filter((song) => chosen.has(song.catalog_id)), skipped: [] };
}
