import { Buffer } from 'node:buffer';
import { sep } from 'node:path';

/**
 * First of the 128 characters that represent the bytes 0x80 to 0xFF of a name that is not UTF-8. They are in the
 * private use area, where names have no letters. A name that does contain them is encoded byte by byte.
 * @see https://www.mirbsd.org/man3/optu8to16 for the same range
 */
const firstRaw = 0xef80;
const lastRaw = 0xefff;
const utf8 = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
const windows1252 = new TextDecoder('windows-1252');

const isRaw = (code: number) => code >= firstRaw && code <= lastRaw;

/** Returns the UTF-8 sequence at `at` and its length, or null if no valid sequence starts there. */
function sequenceAt(bytes: Buffer, at: number): { text: string; length: number } | null {
  const first = bytes[at] ?? 0;
  const length = first < 0x80 ? 1 : first < 0xe0 ? 2 : first < 0xf0 ? 3 : 4;
  try {
    const text = utf8.decode(bytes.subarray(at, at + length));
    const code = text.codePointAt(0) ?? 0;
    return text === String.fromCodePoint(code) && !isRaw(code) ? { text, length } : null;
  } catch {
    return null;
  }
}

/**
 * Returns a file name as text that can be converted back to its bytes. Bytes that are not UTF-8 become characters of
 * the private use area.
 */
export function nameText(bytes: Buffer): string {
  const text = bytes.toString('utf8');
  if (!text.includes('\uFFFD') && !/[\uEF80-\uEFFF]/.test(text)) return text;
  let out = '';
  for (let at = 0; at < bytes.length; ) {
    const sequence = sequenceAt(bytes, at);
    out += sequence?.text ?? String.fromCharCode(firstRaw - 0x80 + (bytes[at] ?? 0));
    at += sequence?.length ?? 1;
  }
  return out;
}

/** Returns the bytes of a name that {@link nameText} encoded. */
export function nameBytes(text: string): Buffer {
  if (!/[\uEF80-\uEFFF]/.test(text)) return Buffer.from(text);
  const parts: Buffer[] = [];
  for (const character of text) {
    const code = character.codePointAt(0) ?? 0;
    parts.push(isRaw(code) ? Buffer.from([code - firstRaw + 0x80]) : Buffer.from(character));
  }
  return Buffer.concat(parts);
}

/** Returns a name for display. Bytes that are not UTF-8 are decoded as Windows-1252, the encoding of most old discs. */
export function shownName(text: string): string {
  return text.replace(/[\uEF80-\uEFFF]/g, (character) => {
    const shown = windows1252.decode(new Uint8Array([character.charCodeAt(0) - firstRaw + 0x80]));
    return /\p{Cc}/u.test(shown) ? '\uFFFD' : shown;
  });
}

/** Returns the bytes of an absolute path below a folder. `path` was encoded by {@link nameText} and uses `/`. */
export function pathBytes(folder: string, path: string): Buffer {
  return Buffer.concat([Buffer.from(folder + sep), nameBytes(path)]);
}
