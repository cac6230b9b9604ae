import type { CatalogCollection, CatalogTrack } from '@stem-studio/contract/resources/catalog';
import type { KnownButUnsupported } from '@stem-studio/dsp/format/sniff-codec';
import { ffmpegMissing } from '../../../platform/process/ffmpeg.ts';
import type { CatalogFileRow, CollectionRow } from '../catalog.store.ts';
import type { CatalogEntry } from '../catalog-provider.ts';
import { coverUrl } from '../cover-url.ts';
import { localId, localLink } from '../local-id.ts';

/**
 * Returns a file as an entry of the catalog.
 *
 * @param decodesAll whether this machine has ffmpeg
 */
export function entryOf(row: CatalogFileRow, decodesAll: boolean): CatalogEntry {
  const track: CatalogTrack = {
    catalog_id: row.catalog_id,
    title: row.title,
    artist: row.artist,
    album: row.album,
    album_art_url: row.has_cover ? coverUrl(row.catalog_id) : null,
    duration: Math.round(row.duration_ms / 1000),
    duration_ms: row.duration_ms,
    catalog_url: localLink('track', row.catalog_id),
    genre: row.genre,
    isrc: row.isrc,
    explicit: false,
  };
  const lacksFfmpeg = row.unusable !== null && !decodesAll;
  const unusable = row.problem ?? (lacksFfmpeg ? ffmpegMissing(row.unusable as KnownButUnsupported) : null);
  return { track, unusable };
}

/** Id of the playlist of all files of the folder. */
export const wholeFolderId = localId('playlist', '.');

/** Returns an album or a playlist as a line of a list. */
export function collectionOf(row: CollectionRow): CatalogCollection {
  const { type, title, artist, track_count } = row;
  const album_art_url = row.cover_of === null ? null : coverUrl(row.cover_of);
  return { type, title, artist, track_count, album_art_url, catalog_url: localLink(type, row.id) };
}
