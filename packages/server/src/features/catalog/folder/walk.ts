import type { Dirent } from 'node:fs';
import { readdir, realpath, stat } from 'node:fs/promises';
import { sep } from 'node:path';
import { nameText, pathBytes } from '../../../platform/files/name-text.ts';
import { localId } from '../local-id.ts';

/** An audio file or playlist below the catalog folder. */
export interface FoundFile {
  /** Path below the folder, with `/`; names that are not UTF-8 are converted by `nameText`. */
  readonly path: string;
  readonly kind: 'audio' | 'playlist';
  /** Id in the catalog. */
  readonly id: string;
  readonly bytes: number;
  readonly modifiedMs: number;
}

const audioName = /\.(wav|wave|mp3|flac|aiff?|m4a|aac|mp4|ogg|oga|opus)$/i;
const playlistName = /\.m3u8?$/i;
const maxDepth = 24;
const maxFiles = 200_000;
/** Number of concurrent `stat` calls. */
const statsAtOnce = 32;

/** Abort signal and callback with the number of files found. */
export interface WalkOptions {
  readonly signal: AbortSignal;
  readonly onFound: (count: number) => void;
}

interface Named {
  readonly path: string;
  readonly kind: 'audio' | 'playlist';
  readonly isLink: boolean;
}

/**
 * Returns every audio file and playlist below `root`, sorted by path. Hidden files and folders are ignored; a link is
 * followed only while it stays inside the folder and points at a file. An unreadable folder is ignored, and of two
 * names that differ only in their Unicode normalisation the first is taken.
 */
export async function walkFolder(root: string, { signal, onFound }: WalkOptions): Promise<FoundFile[]> {
  const realRoot = await realpath(root);
  const found = new Map<string, FoundFile>();
  const folders: { path: string; depth: number }[] = [{ path: '', depth: 0 }];
  for (let folder = folders.pop(); folder && found.size < maxFiles; folder = folders.pop()) {
    signal.throwIfAborted();
    const named: Named[] = [];
    for (const entry of await listFolder(realRoot, folder.path)) {
      const name = nameText(entry.name);
      if (name.startsWith('.')) continue;
      const path = folder.path === '' ? name : `${folder.path}/${name}`;
      if (entry.isDirectory()) {
        if (folder.depth < maxDepth) folders.push({ path, depth: folder.depth + 1 });
        continue;
      }
      const kind = audioName.test(name) ? 'audio' : playlistName.test(name) ? 'playlist' : null;
      if (kind) named.push({ path, kind, isLink: entry.isSymbolicLink() });
    }
    for (let at = 0; at < named.length; at += statsAtOnce) {
      signal.throwIfAborted();
      const files = await Promise.all(
        named.slice(at, at + statsAtOnce).map((one) => describe(realRoot, one)),
      );
      for (const file of files) {
        if (!file) continue;
        const known = found.get(file.id);
        if (!known || file.path < known.path) found.set(file.id, file);
      }
      onFound(found.size);
    }
  }
  return [...found.values()].slice(0, maxFiles).sort((a, b) => (a.path < b.path ? -1 : 1));
}

/**
 * Returns the entries of a folder by the bytes of their names. An unreadable folder is empty, unless it is the root.
 */
function listFolder(realRoot: string, path: string): Promise<Dirent<Buffer>[]> {
  const listed = readdir(pathBytes(realRoot, path), { encoding: 'buffer', withFileTypes: true });
  return path === '' ? listed : listed.catch(() => []);
}

/** Returns a file with its size and time. Null when it is gone, not a file, or outside of `realRoot` behind links. */
async function describe(realRoot: string, { path, kind, isLink }: Named): Promise<FoundFile | null> {
  try {
    const bytes = pathBytes(realRoot, path);
    const real = isLink ? await realpath(bytes, 'buffer') : bytes;
    const prefix = Buffer.from(realRoot + sep);
    if (isLink && !real.subarray(0, prefix.length).equals(prefix)) return null;
    const state = await stat(real);
    if (!state.isFile()) return null;
    const id = localId(kind === 'audio' ? 'track' : 'playlist', path);
    return { path, kind, id, bytes: state.size, modifiedMs: Math.round(state.mtimeMs) };
  } catch {
    return null;
  }
}
