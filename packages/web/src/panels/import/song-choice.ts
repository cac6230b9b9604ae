import type { previewImport } from '@stem-studio/contract/endpoints/catalog';
import type { CatalogTrack } from '@stem-studio/contract/resources/catalog';
import type { z } from 'zod';

/** Songs of a link, and which of them are in the library. */
export type ImportPreview = z.output<typeof previewImport.reply>['data'];

/** Returns the songs of a link in order, each once. */
export function songsOf({ item }: ImportPreview): CatalogTrack[] {
  const songs = item.type === 'track' ? [item.track] : item.tracks;
  return [...new Map(songs.map((song) => [song.catalog_id, song])).values()];
}

/** Returns the catalog ids of the songs that are not in the library, which are chosen at first. */
export function newSongs(preview: ImportPreview): ReadonlySet<string> {
  const known = new Set(preview.library.map(({ catalog_id }) => catalog_id));
  const fresh = songsOf(preview).filter((song) => song.catalog_id !== null && !known.has(song.catalog_id));
  return new Set(fresh.map((song) => song.catalog_id ?? ''));
}

/** Returns the artist of an album: that of all its songs, or `Various artists`; empty without songs. */
export function artistOf(songs: readonly Pick<CatalogTrack, 'artist'>[]): string {
  const artists = new Set(songs.map(({ artist }) => artist));
  return artists.size > 1 ? 'Various artists' : ([...artists][0] ?? '');
}
