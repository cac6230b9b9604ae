import type { Db } from '../../../platform/db/database.ts';
import { messageOf } from '../../../platform/errors.ts';
import { shownName } from '../../../platform/files/name-text.ts';
import * as store from '../catalog.store.ts';
import { localId } from '../local-id.ts';
import { inspectPlaylist, inspectTags, tagWarning } from '../tags/inspect-file.ts';
import { titleFromName } from '../tags/parse-tags.ts';
import { regroupCompilations } from './compilations.ts';
import { resolveEntry } from './parse-playlist.ts';
import { type FoundFile, walkFolder } from './walk.ts';

const maxPlaylistBytes = 4 * 1024 * 1024;
/** Number of files read concurrently, each in a process. */
const readAtOnce = 2;
const rowsAtOnce = 200;

/** Progress of a scan. */
export interface ScanCounts {
  /** Number of audio files and playlists found. */
  readonly found: number;
  /** Number of new or changed files. */
  readonly changed: number;
  /** Number of changed files that have been read, including failures. */
  readonly read: number;
  /** Number of files that could not be read. */
  readonly failed: number;
}

/** Input of {@link scanFolder}. */
export interface ScanOptions {
  readonly db: Db;
  readonly root: string;
  readonly signal: AbortSignal;
  readonly onProgress: (counts: ScanCounts) => void;
}

/**
 * Updates the stored state of a catalog folder. Reads files that are new, or whose size or time has changed, and
 * deletes those that are gone. Results are stored continuously, so that the next scan continues a stopped one. Rejects
 * with the signal's reason, and where the folder or the database cannot be read.
 */
export async function scanFolder({ db, root, signal, onProgress }: ScanOptions): Promise<ScanCounts> {
  const counts = { found: 0, changed: 0, read: 0, failed: 0 };
  const files = await walkFolder(root, {
    signal,
    onFound(count) {
      counts.found = count;
      onProgress(counts);
    },
  });
  const known = new Map((await store.listKnownFiles(db)).map((row) => [row.path, row]));
  const changed = files.filter((file) => {
    const before = known.get(file.path);
    known.delete(file.path);
    return before?.bytes !== file.bytes || before.modified_ms !== file.modifiedMs;
  });
  counts.changed = changed.length;
  onProgress(counts);

  let rows: store.CatalogFileRow[] = [];
  const flush = async () => {
    const batch = rows;
    rows = [];
    await store.upsertFiles(db, batch);
  };
  const next = changed[Symbol.iterator]();
  const readChanged = async () => {
    for (const file of next) {
      signal.throwIfAborted();
      try {
        const row = await (file.kind === 'audio' ? readAudio : readPlaylist)(db, root, file, signal);
        if (row) rows.push(row);
        if (row?.problem) counts.failed += 1;
      } catch (error) {
        // A file that vanished or became unreadable since it was found is left out and read again by the next scan.
        if (!isAboutFile(error)) throw error;
        counts.failed += 1;
      }
      counts.read += 1;
      if (rows.length >= rowsAtOnce) await flush();
      onProgress(counts);
    }
  };
  const outcomes = await Promise.allSettled(Array.from({ length: readAtOnce }, readChanged));
  await flush();
  for (const outcome of outcomes) if (outcome.status === 'rejected') throw outcome.reason;
  await store.deleteFiles(db, [...known.keys()]);
  if (changed.length > 0 || known.size > 0)
    await store.setAlbumIds(db, regroupCompilations(await store.listAlbumNames(db)));
  return counts;
}

/** Returns whether an error concerns one file rather than the database or the service. */
function isAboutFile(error: unknown): boolean {
  const { code, name } = error as { code?: unknown; name?: unknown };
  return (
    name === 'OutsideFolderError' ||
    name === 'ProcessLimitError' ||
    name === 'ThreadError' ||
    (typeof code === 'string' && /^E[A-Z]+$/.test(code))
  );
}

async function readAudio(
  _db: Db,
  root: string,
  file: FoundFile,
  signal: AbortSignal,
): Promise<store.CatalogFileRow> {
  const { tags, problem, hasCover, unsupported } = await inspectTags(
    { file: { root, path: file.path }, name: shownName(file.path), withCover: false, withLength: true },
    signal,
  );
  return {
    catalog_id: file.id,
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
    duration_ms: tags.durationMs,
    has_cover: hasCover,
    unusable: unsupported,
    // Damaged tags are common and are not reported; the file name replaces them.
    problem: problem?.kind === 'limit' ? tagWarning(problem) : null,
  };
}

async function readPlaylist(db: Db, root: string, file: FoundFile, signal: AbortSignal): Promise<null> {
  if (file.bytes > maxPlaylistBytes) return null;
  const parsed = await inspectPlaylist({ root, path: file.path }, signal);
  await store.upsertPlaylist(db, {
    playlist_id: file.id,
    path: file.path,
    bytes: file.bytes,
    modified_ms: file.modifiedMs,
    title: parsed.title ?? titleFromName(shownName(file.path)),
    entries: parsed.entries.map((entry) => ({
      path: resolveEntry(file.path, entry.path),
      title: entry.title,
    })),
  });
  return null;
}

/** Returns the message for a scan of the folder that ended early. */
export function scanError(error: unknown): string {
  return `the catalog folder cannot be read (${messageOf(error)})`;
}
