import { createReadStream } from 'node:fs';
import { readFile } from 'node:fs/promises';
import { basename, join } from 'node:path';
import type { CatalogCollection, CatalogTrack } from '@stem-studio/contract/resources/catalog';
import { isCodec, type KnownButUnsupported, sniffCodec } from '@stem-studio/dsp/format/sniff-codec';
import type { Db } from '../../../platform/db/database.ts';
import { failure } from '../../../platform/errors.ts';
import { ffmpegMissing } from '../../../platform/process/ffmpeg.ts';
import * as store from '../catalog.store.ts';
import type { CatalogEntry, CatalogProvider } from '../catalog-provider.ts';
import { coverUrl } from '../cover-url.ts';
import { localId, localLink } from '../local-id.ts';
import { parsePlaylist, resolveEntry } from './parse-playlist.ts';
import { readLengthMs, readTags, titleFromName } from './read-tags.ts';
import { type FoundFile, walkFolder } from './walk.ts';

const refreshEveryMs = 15_000;
const maxPlaylistBytes = 4 * 1024 * 1024;

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
  const unusable =
    row.unusable === null || decodesAll ? null : ffmpegMissing(row.unusable as KnownButUnsupported);
  return { track, unusable };
}

/** The playlist of all that the folder holds. */
const wholeFolderId = localId('playlist', '.');

function collectionOf(row: store.CollectionRow): CatalogCollection {
  const { type, title, artist, track_count } = row;
  const album_art_url = row.cover_of === null ? null : coverUrl(row.cover_of);
  return { type, title, artist, track_count, album_art_url, catalog_url: localLink(type, row.id) };
}

async function headOf(path: string): Promise<Uint8Array> {
  const parts: Buffer[] = [];
  for await (const chunk of createReadStream(path, { end: 65_535 })) parts.push(chunk as Buffer);
  return Buffer.concat(parts);
}

/** The format that only ffmpeg can read, of a file with this beginning; null for ours, and for what is damaged. */
function foreignFormat(head: Uint8Array): KnownButUnsupported | null {
  const sniffed = sniffCodec(head);
  return sniffed === null || isCodec(sniffed) ? null : sniffed;
}

/** What a folder catalog asks of the world. */
export interface FolderCatalogOptions {
  readonly monotonicMs: () => number;
  /** Whether files that we do not decode ourselves can be decoded all the same. */
  readonly hasFfmpeg: () => Promise<boolean>;
}

/**
 * A folder of audio files as a catalog: tracks from their tags, albums from equal album and album artist, playlists
 * from `.m3u8` files. What was read is kept in the database and read again only when a file's size or time changes;
 * the folder itself is walked again when it was last walked more than 15 s ago.
 */
export function createFolderCatalog(
  db: Db,
  root: string,
  { monotonicMs, hasFfmpeg }: FolderCatalogOptions,
): CatalogProvider {
  let decodesAll = false;
  let walkedAt = Number.NEGATIVE_INFINITY;
  let walking: Promise<void> | null = null;

  async function readAudio(file: FoundFile): Promise<void> {
    const absolute = join(root, file.path);
    const [head, tags] = await Promise.all([headOf(absolute), readTags(absolute, file.path)]);
    await store.upsertFile(db, {
      catalog_id: localId('track', file.path),
      path: file.path,
      bytes: file.bytes,
      modified_ms: file.modifiedMs,
      title: tags.title,
      artist: tags.artist,
      album: tags.album,
      album_id: tags.album === '' ? null : localId('album', `${tags.albumArtist}\0${tags.album}`),
      disc_number: tags.discNumber,
      track_number: tags.trackNumber,
      genre: tags.genre,
      isrc: tags.isrc,
      duration_ms: tags.durationMs || (await readLengthMs(absolute).catch(() => 0)),
      has_cover: tags.cover !== null,
      unusable: foreignFormat(head),
    });
  }

  async function readPlaylist(file: FoundFile): Promise<void> {
    if (file.bytes > maxPlaylistBytes) return;
    const parsed = parsePlaylist(await readFile(join(root, file.path), 'utf8'));
    await store.upsertPlaylist(db, {
      playlist_id: localId('playlist', file.path),
      path: file.path,
      bytes: file.bytes,
      modified_ms: file.modifiedMs,
      title: parsed.title ?? titleFromName(file.path),
      entries: parsed.entries.map((entry) => ({
        path: resolveEntry(file.path, entry.path),
        title: entry.title,
      })),
    });
  }

  async function walk(): Promise<void> {
    decodesAll = await hasFfmpeg();
    const found = await walkFolder(root).catch((error: unknown) => {
      throw failure('catalog_error', `the catalog folder cannot be read (${(error as Error).message})`);
    });
    const known = new Map((await store.listKnownFiles(db)).map((row) => [row.path, row]));
    for (const file of found) {
      const before = known.get(file.path);
      known.delete(file.path);
      if (before && before.bytes === file.bytes && before.modified_ms === file.modifiedMs) continue;
      // A file that vanishes or cannot be read between the walk and now is simply not in the catalog.
      await (file.kind === 'audio' ? readAudio(file) : readPlaylist(file)).catch((error: unknown) => {
        if (!(error as NodeJS.ErrnoException).code?.startsWith('E')) throw error;
      });
    }
    await store.deleteFiles(db, [...known.keys()]);
    walkedAt = monotonicMs();
  }

  const toEntry = (row: store.CatalogFileRow) => entryOf(row, decodesAll);

  async function fresh(): Promise<void> {
    if (monotonicMs() - walkedAt < refreshEveryMs) return;
    walking ??= walk().finally(() => {
      walking = null;
    });
    await walking;
  }

  return {
    async findTrack(id) {
      await fresh();
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
      return row?.has_cover ? (await readTags(join(root, row.path), row.path)).cover : null;
    },
    async receive(id, out, { signal, onProgress }) {
      const row = await store.findFile(db, id);
      if (!row) throw failure('catalog_error', 'the file is no longer in the catalog folder');
      let copied = 0;
      for await (const chunk of createReadStream(join(root, row.path), { signal, highWaterMark: 1 << 20 })) {
        await out.append(chunk as Buffer);
        copied += (chunk as Buffer).length;
        onProgress(row.bytes === 0 ? 1 : Math.min(1, copied / row.bytes));
      }
    },
  };
}
