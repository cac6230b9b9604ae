/** Parts of the name of a downloaded file. */
export interface DownloadSubject {
  readonly artist: string;
  readonly title: string;
  /** Content: `vocals`, `stems`, `analysis`. */
  readonly part: string;
  /** File extension without the dot. */
  readonly extension: string;
}

/** Shortest limit on file names in use (eCryptfs), in bytes; others allow 255. */
const longestNameBytes = 143;
/** Bytes reserved for suffixes such as ` (1)`, which browsers add. */
const copySuffixBytes = 6;

/**
 * Device names reserved by Windows, also with an extension.
 *
 * @see https://learn.microsoft.com/windows/win32/fileio/naming-a-file
 */
const reserved = /^(?:con|prn|aux|nul|conin\$|conout\$|com[0-9¹²³]|lpt[0-9¹²³])(?=\.|\s|$)/i;

function safeText(text: string): string {
  return (
    text
      .toWellFormed()
      .normalize('NFC')
      // Control characters, line separators, and bidirectional marks: `exe.gpj` would read as jpg.exe.
      .replaceAll(/[\p{Cc}\u2028\u2029\u200e\u200f\u202a-\u202e\u2066-\u2069\ufeff]/gu, ' ')
      .replaceAll(/[\\/:*?"<>|]/g, '_')
      .replaceAll(/\s+/g, ' ')
      .trim()
  );
}

/** Truncates text to a number of UTF-8 bytes without splitting a grapheme. */
function shortened(text: string, bytes: number): string {
  let used = 0;
  let kept = '';
  for (const { segment } of new Intl.Segmenter('en', { granularity: 'grapheme' }).segment(text)) {
    used += Buffer.byteLength(segment);
    if (used > bytes) break;
    kept += segment;
  }
  return kept.trimEnd();
}

/**
 * Returns a file name valid on every file system: `Artist - Title (part).extension`. It has at most 143 bytes with
 * space for ` (1)`. A long title is truncated; part and extension stay.
 */
export function downloadName({ artist, title, part, extension }: DownloadSubject): string {
  const parts = [artist, title].map(safeText).filter((text) => text !== '');
  const tail = ` (${part}).${extension}`;
  // A leading dot hides a file.
  const song = (parts.join(' - ') || 'track').replace(/^[.\s]+/, '') || 'track';
  const safe = reserved.test(song) ? `_${song}` : song;
  return shortened(safe, longestNameBytes - copySuffixBytes - Buffer.byteLength(tail)) + tail;
}

/** Returns the ASCII fallback for old clients: letters without diacritics, other characters as `_`. */
function asciiOf(name: string): string {
  return name
    .normalize('NFKD')
    .replaceAll(/\p{M}/gu, '')
    .replaceAll(/[^\x20-\x7e]|["\\%]/gu, '_');
}

/**
 * Returns the value of `Content-Disposition` that saves a reply under `name`.
 *
 * @see https://www.rfc-editor.org/rfc/rfc6266 and https://www.rfc-editor.org/rfc/rfc5987#section-3.2
 */
export function attachment(name: string): string {
  const ascii = asciiOf(name);
  if (ascii === name) return `attachment; filename="${name}"`;
  const encoded = encodeURIComponent(name.toWellFormed()).replaceAll(
    /['()*]/g,
    (letter) => `%${letter.charCodeAt(0).toString(16).toUpperCase()}`,
  );
  return `attachment; filename="${ascii}"; filename*=UTF-8''${encoded}`;
}
