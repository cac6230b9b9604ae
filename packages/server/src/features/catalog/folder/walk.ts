import { opendir, realpath, stat } from 'node:fs/promises';
import { join, sep } from 'node:path';

/** One file of interest below the catalog folder. */
export interface FoundFile {
  /** Below the folder, with `/`. */
  readonly path: string;
  readonly kind: 'audio' | 'playlist';
  readonly bytes: number;
  readonly modifiedMs: number;
}

const audioName = /\.(wav|wave|mp3|flac|aiff?|m4a|aac|mp4|ogg|oga|opus)$/i;
const playlistName = /\.m3u8?$/i;
const maxDepth = 24;
const maxFiles = 200_000;

/**
 * Every audio file and playlist below `root`, sorted by path. Hidden files and folders are passed over; a link is
 * followed only while it stays inside the folder and points at a file. A folder that cannot be read is passed over.
 */
export async function walkFolder(root: string): Promise<FoundFile[]> {
  const realRoot = await realpath(root);
  const found: FoundFile[] = [];
  const folders: { path: string; depth: number }[] = [{ path: '', depth: 0 }];
  for (let folder = folders.pop(); folder && found.length < maxFiles; folder = folders.pop()) {
    const entries = await opendir(join(realRoot, folder.path)).catch(() => null);
    if (!entries) continue;
    for await (const entry of entries) {
      if (entry.name.startsWith('.')) continue;
      const path = folder.path === '' ? entry.name : `${folder.path}/${entry.name}`;
      if (entry.isDirectory()) {
        if (folder.depth < maxDepth) folders.push({ path, depth: folder.depth + 1 });
        continue;
      }
      const kind = audioName.test(entry.name) ? 'audio' : playlistName.test(entry.name) ? 'playlist' : null;
      if (!kind) continue;
      const file = await insideFile(realRoot, path);
      if (file) found.push({ path, kind, bytes: file.size, modifiedMs: Math.round(file.mtimeMs) });
    }
  }
  return found.sort((a, b) => (a.path < b.path ? -1 : 1));
}

/** The file's own state, or null when it is gone, no file, or lies (behind links) outside of `realRoot`. */
async function insideFile(realRoot: string, path: string) {
  try {
    const real = await realpath(join(realRoot, path));
    if (real !== realRoot && !real.startsWith(realRoot + sep)) return null;
    const state = await stat(real);
    return state.isFile() ? state : null;
  } catch {
    return null;
  }
}
