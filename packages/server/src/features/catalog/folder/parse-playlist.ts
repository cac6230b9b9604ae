/** One playlist as a file has it. */
export interface ParsedPlaylist {
  /** The `#PLAYLIST:` title, or null. */
  readonly title: string | null;
  /** In order: a path with `/`, as written, or a web address. */
  readonly entries: readonly PlaylistEntry[];
}

/** One line of a playlist. */
export interface PlaylistEntry {
  readonly path: string;
  /** What `#EXTINF` says of it, or its file name. */
  readonly title: string;
}

const maxEntries = 10_000;

/** Text for people, on one line: the file may hold anything. */
function shown(text: string): string {
  return text.replace(/\p{Cc}+/gu, ' ').trim();
}

function decodePath(text: string): string {
  if (!/^file:\/\//i.test(text)) return text;
  try {
    return decodeURIComponent(new URL(text).pathname);
  } catch {
    return text;
  }
}

/**
 * Reads an `.m3u8` playlist: UTF-8 lines, `#EXTINF:<seconds>,<title>` before an entry, `#PLAYLIST:<title>`, other
 * comments ignored, `\` read as `/`, `file:` addresses decoded, a byte order mark dropped. At most 10,000 entries.
 *
 * @see https://datatracker.ietf.org/doc/html/rfc8216#section-4 for the format's frame; titles are older custom
 */
export function parsePlaylist(text: string): ParsedPlaylist {
  let title: string | null = null;
  let nextTitle: string | null = null;
  const entries: PlaylistEntry[] = [];
  for (const rawLine of text.replace(/^\uFEFF/, '').split(/\r\n|\r|\n/)) {
    const line = rawLine.trim();
    if (line === '') continue;
    if (line.startsWith('#')) {
      const named = /^#PLAYLIST:(.*)$/i.exec(line);
      const info = /^#EXTINF:[^,]*,(.*)$/i.exec(line);
      if (named) title = shown(named[1] ?? '') || null;
      if (info) nextTitle = shown(info[1] ?? '') || null;
      continue;
    }
    if (entries.length === maxEntries) break;
    const path = decodePath(line).replaceAll('\\', '/');
    entries.push({ path, title: nextTitle ?? shown(path.slice(path.lastIndexOf('/') + 1)) });
    nextTitle = null;
  }
  return { title, entries };
}

/**
 * Where an entry of the playlist at `playlistPath` leads, as a path below the catalog folder, or null when it leads
 * out of it or to the web. Both paths use `/`.
 */
export function resolveEntry(playlistPath: string, entryPath: string): string | null {
  if (entryPath.startsWith('/') || /^[a-z][a-z0-9+.-]*:/i.test(entryPath) || entryPath.includes('\0'))
    return null;
  const parts = playlistPath.split('/').slice(0, -1);
  for (const part of entryPath.split('/')) {
    if (part === '' || part === '.') continue;
    if (part !== '..') parts.push(part);
    else if (parts.pop() === undefined) return null;
  }
  return parts.length === 0 ? null : parts.join('/');
}
