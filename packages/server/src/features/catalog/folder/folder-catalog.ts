import { basename } from 'node:path';
import type { CatalogCollection, CatalogTrack } from '@stem-studio/contract/resources/catalog';
import type { KnownButUnsupported } from '@stem-studio/dsp/format/sniff-codec';
import type { Db } from '../../../platform/db/database.ts';
import { failure } from '../../../platform/errors.ts';
import { OutsideFolderError, openInside } from '../../../platform/files/open-inside.ts';
import { ffmpegMissing } from '../../../platform/process/ffmpeg.ts';
import * as store from '../catalog.store.ts';
import type { CatalogEntry, CatalogProvider } from '../catalog-provider.ts';
import { coverUrl } from '../cover-url.ts';
import { localId, localLink } from '../local-id.ts';
import { inspectTags } from '../tags/inspect-file.ts';
import type { FolderScanner } from './folder-scanner.ts';

/** `decodesAll`: whether this machine has ffmpeg. */
function entryOf(row: store.CatalogFileRow, decodesAll: boolean): CatalogEntry {
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

/** The playlist of all that the folder holds. */
const wholeFolderId = localId('playlist', '.');

function collectionOf(row: store.CollectionRow): CatalogCollection {
  const { type, title, artist, track_count } = row;
  const album_art_url = row.cover_of === null ? null : coverUrl(row.cover_of);
  return { type, title, artist, track_count, album_art_url, catalog_url: localLink(type, row.id) };
}

/** What a folder catalog asks of the world. */
export interface FolderCatalogOptions {
  readonly scanner: FolderScanner;
  /** Whether files that we do not decode ourselves can be decoded all the same. */
  readonly hasFfmpeg: () => Promise<boolean>;
}

/**
 * A folder of audio files as a catalog: tracks from their tags, albums from equal album and album artist, playlists
 * from `.m3u8` files. What was read is kept in the database; requests are answered from there, after a scan of the
 * folder when the last look at it is more than 15 s old and the scan is a short one.
 */
export function createFolderCatalog(
  db: Db,
  root: string,
  { scanner, hasFfmpeg }: FolderCatalogOptions,
): CatalogProvider {
  let decodesAll = false;

  const toEntry = (row: store.CatalogFileRow) => entryOf(row, decodesAll);

  async function fresh(): Promise<void> {
    decodesAll = await hasFfmpeg();
    await scanner.refresh();
  }

  return {
    async findTrack(id, look = 'fresh') {
      if (look === 'fresh') await fresh();
      const row = await store.findFile(db, id);
      return row ? toEntry(row) : null;
    },
    async findAlbum(id) {
      await fresh();
      const rows = await store.listAlbumFiles(db, id);
      return rows.length === 0
        ? null
        : { title: rows[0]?.album ?? '', entries: rows.map(toEntry), skipped: [] };
    },
    async findPlaylist(id) {
      await fresh();
      if (id === wholeFolderId)
        return { title: basename(root), entries: (await store.listAllFiles(db)).map(toEntry), skipped: [] };
      const playlist = await store.findPlaylist(db, id);
      if (!playlist) return null;
      const paths = playlist.entries.flatMap((entry) => (entry.path === null ? [] : [entry.path]));
      const files = new Map((await store.listFilesAt(db, paths)).map((row) => [row.path, row]));
      const entries: CatalogEntry[] = [];
      const skipped: { title: string; reason: string }[] = [];
      for (const entry of playlist.entries) {
        const row = entry.path === null ? undefined : files.get(entry.path);
        if (row) entries.push(toEntry(row));
        else if (entry.path === null)
          skipped.push({ title: entry.title, reason: 'lies outside of the catalog folder' });
        else skipped.push({ title: entry.title, reason: 'is not in the catalog folder' });
      }
      return { title: playlist.title, entries, skipped };
    },
    async search(words, offset, limit) {
      await fresh();
      const { rows, totalCount } = await store.searchFiles(
        db,
        words.split(/\s+/).filter(Boolean),
        offset,
        limit,
      );
      return { entries: rows.map(toEntry), totalCount };
    },
    async listCollections(words, offset, limit) {
      await fresh();
      const folder = collectionOf({
        type: 'playlist',
        id: wholeFolderId,
        title: basename(root),
        artist: '',
        track_count: await store.countFiles(db),
        cover_of: null,
      });
      const title = folder.title.toLowerCase();
      const isFound = folder.track_count > 0 && words.every((word) => title.includes(word.toLowerCase()));
      const whole = isFound ? [folder] : [];
      const first = whole.slice(offset, offset + limit);
      const { rows, totalCount } = await store.listCollections(
        db,
        words,
        Math.max(0, offset - whole.length),
        limit - first.length,
      );
      return {
        collections: [...first, ...rows.map(collectionOf)],
        totalCount: whole.length + totalCount,
      };
    },
    async findCover(id) {
      const row = await store.findFile(db, id);
      if (!row?.has_cover) return null;
      const file = { root, path: row.path };
      const request = { file, name: null, withCover: true, withLength: false };
      const read = await inspectTags(request, new AbortController().signal).catch(() => null);
      return read?.tags.cover ?? null;
    },
    async receive(id, out, { signal, onProgress }) {
      const row = await store.findFile(db, id);
      if (!row) throw failure('catalog_error', 'the file is no longer in the catalog folder');
      const handle = await openInside(root, row.path).catch((error: unknown) => {
        if (!(error instanceof OutsideFolderError)) throw error;
        throw failure('catalog_error', 'the file is no longer in the catalog folder');
      });
      try {
        let copied = 0;
        const { size } = await handle.stat();
        const chunks = handle.createReadStream({
          autoClose: false,
          start: 0,
          highWaterMark: 1 << 20,
          signal,
        });
        for await (const chunk of chunks) {
          await out.append(chunk as Buffer);
          copied += (chunk as Buffer).length;
          onProgress(size === 0 ? 1 : Math.min(1, copied / size));
        }
      } finally {
        await handle.close();
      }
    },
  };
}
