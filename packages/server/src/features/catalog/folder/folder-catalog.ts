import { basename } from 'node:path';
import type { Db } from '../../../platform/db/database.ts';
import * as store from '../catalog.store.ts';
import type { CatalogProvider, CoverImage } from '../catalog-provider.ts';
import { inspectTags } from '../tags/inspect-file.ts';
import { copyCatalogFile, fileGone } from './copy-catalog-file.ts';
import { entryOf, wholeFolderId } from './folder-entries.ts';
import { readFolderPlaylist } from './folder-playlist.ts';
import type { FolderScanner } from './folder-scanner.ts';
import { listFolderCollections } from './list-folder-collections.ts';

/** Dependencies of a folder catalog. */
export interface FolderCatalogOptions {
  readonly scanner: FolderScanner;
  /** Returns whether ffmpeg is available for files that the service does not decode itself. */
  readonly hasFfmpeg: () => Promise<boolean>;
}

/**
 * Creates a catalog of a folder of audio files. Tracks come from their tags, albums from equal album and album artist,
 * playlists from `.m3u8` files. Requests are answered from the database. A scan of the folder runs first when the last
 * one is more than 15 s old; the request waits for it only while it is short.
 */
export function createFolderCatalog(
  db: Db,
  root: string,
  { scanner, hasFfmpeg }: FolderCatalogOptions,
): CatalogProvider {
  let decodesAll = false;
  const toEntry = (row: store.CatalogFileRow) => entryOf(row, decodesAll);

  async function refresh(): Promise<void> {
    decodesAll = await hasFfmpeg();
    await scanner.refresh();
  }

  return {
    async findTrack(id, look = 'fresh') {
      if (look === 'fresh') await refresh();
      const row = await store.findFile(db, id);
      return row ? toEntry(row) : null;
    },
    async findAlbum(id) {
      await refresh();
      const rows = await store.listAlbumFiles(db, id);
      const [first] = rows;
      return first ? { title: first.album, entries: rows.map(toEntry), skipped: [] } : null;
    },
    async findPlaylist(id) {
      await refresh();
      if (id !== wholeFolderId) return readFolderPlaylist(db, id, toEntry);
      return { title: basename(root), entries: (await store.listAllFiles(db)).map(toEntry), skipped: [] };
    },
    async search(query, offset, limit) {
      await refresh();
      const terms = query.split(/\s+/).filter(Boolean);
      const { rows, totalCount } = await store.searchFiles(db, terms, offset, limit);
      return { entries: rows.map(toEntry), totalCount };
    },
    async listCollections(terms, offset, limit) {
      await refresh();
      return listFolderCollections(db, root, terms, offset, limit);
    },
    findCover: (id) => readCover(db, root, id),
    async receive(id, out, options) {
      const row = await store.findFile(db, id);
      if (!row) throw fileGone();
      await copyCatalogFile(root, row.path, out, options);
    },
  };
}

async function readCover(db: Db, root: string, id: string): Promise<CoverImage | null> {
  const row = await store.findFile(db, id);
  if (!row?.has_cover) return null;
  const request = { file: { root, path: row.path }, name: null, withCover: true, withLength: false };
  const read = await inspectTags(request, new AbortController().signal).catch(() => null);
  return read?.tags.cover ?? null;
}
