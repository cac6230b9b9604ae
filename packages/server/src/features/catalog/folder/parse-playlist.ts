/** Content of a playlist file. */
export interface ParsedPlaylist {
  /** Text of `#PLAYLIST:`, or null. */
  readonly title: string | null;
  /** Entries in order: a path with `/`, as written, or a web address. */
  readonly entries: readonly PlaylistEntry[];
}

/** One entry of a playlist. */
export interface PlaylistEntry {
  readonly path: string;
  /** Title of its `#EXTINF`, or its file name. */
  readonly title: string;
}

const maxEntries = 10_000;

/** Returns text on one line without control characters, for display. */
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
 * Parses an `.m3u8` playlist of at most 10,000 entries. Supports UTF-8 lines, `#EXTINF:<seconds>,<title>` before an
 * entry, and `#PLAYLIST:<title>`. Ignores other comments, reads `\` as `/`, decodes `file:` addresses and drops a byte
 * order mark.
 *
 * @see https://datatracker.ietf.org/doc/html/rfc8216#section-4 for the basic format; titles are an older convention
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
 * Resolves an entry of the playlist at `playlistPath` to a path below the catalog folder. Null for a path outside the
 * folder or a web address. Both paths use `/`.
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
