import type { Codec } from './audio-source.ts';
import { ascii } from './byte-reader.ts';
import { findMp3Frame } from './mp3-frame-header.ts';
import { isOpusHead } from './opus-head.ts';
import { isVorbisHead } from './vorbis-head.ts';

/** Formats that are recognised and named to the user, but not decoded here. */
export type KnownButUnsupported = 'm4a' | 'aac' | 'wma' | 'webm';

const ACCEPTED: ReadonlySet<string> = new Set<Codec>(['wav', 'aiff', 'mp3', 'flac', 'ogg', 'opus']);

/** Number of bytes at the start of a file that `sniffCodec` may need; most formats need fewer. */
export const SNIFF_BYTES = 1 << 16;

/** Returns whether a detected format is one that `openAudio` decodes. */
export function isCodec(format: Codec | KnownButUnsupported): format is Codec {
  return ACCEPTED.has(format);
}

/**
 * Returns the length in bytes of the ID3v2 tag at the start of `bytes`, including header and footer; 0 if there is
 * none.
 *
 * @see https://id3.org/id3v2.4.0-structure, 3.1
 */
export function id3v2Length(bytes: Uint8Array): number {
  if (bytes.length < 10 || ascii(bytes, 0, 3) !== 'ID3') return 0;
  const [flags = 0, ...size] = bytes.subarray(5, 10);
  if (size.some((byte) => byte > 0x7f)) return 0;
  const body = size.reduce((sum, byte) => (sum << 7) | byte, 0);
  return 10 + body + ((flags & 0x10) === 0 ? 0 : 10);
}

/**
 * Detects the format of a file from its first bytes; null if it is unknown.
 *
 * `head` are the first `SNIFF_BYTES` bytes, or all of a shorter file. An MP3 is detected by a chain of frame headers,
 * because a single one occurs by chance in noise.
 */
export function sniffCodec(head: Uint8Array): Codec | KnownButUnsupported | null {
  const tagLength = id3v2Length(head);
  if (tagLength > 0) {
    const inner = head.length > tagLength + 4 ? sniffCodec(head.subarray(tagLength)) : null;
    return inner ?? 'mp3';
  }
  const magic = ascii(head, 0, 4);
  const form = ascii(head, 8, 12);
  if ((magic === 'RIFF' || magic === 'RF64' || magic === 'BW64') && form === 'WAVE') return 'wav';
  if (magic === 'fLaC') return 'flac';
  if (magic === 'FORM' && (form === 'AIFF' || form === 'AIFC')) return 'aiff';
  if (magic === 'OggS') return oggCodec(head);
  if (ascii(head, 4, 8) === 'ftyp') return 'm4a';
  if (head[0] === 0x1a && head[1] === 0x45 && head[2] === 0xdf && head[3] === 0xa3) return 'webm';
  if (head[0] === 0x30 && head[1] === 0x26 && head[2] === 0xb2 && head[3] === 0x75) return 'wma';
  if (findMp3Frame(head.subarray(0, 4), 0, 1, true) === 0 && findMp3Frame(head, 0, 1, true) === 0)
    return 'mp3';
  if (isAdts(head)) return 'aac';
  return findMp3Frame(head, 0, 3, false) >= 0 ? 'mp3' : null;
}

/** Returns the audio codec of an Ogg file: all of its streams, also those of images, begin on its first pages. */
function oggCodec(head: Uint8Array): Codec {
  let at = 0;
  while (ascii(head, at, at + 4) === 'OggS') {
    const pieces = head.subarray(at + 27, at + 27 + (head[at + 26] ?? 0));
    const body = at + 27 + pieces.length;
    if (isOpusHead(head.subarray(body, body + 8))) return 'opus';
    if (isVorbisHead(head.subarray(body, body + 7))) return 'ogg';
    at = body + pieces.reduce((sum, piece) => sum + piece, 0);
  }
  return 'ogg';
}

/**
 * Returns whether two ADTS headers follow each other.
 *
 * @see ISO/IEC 13818-7, 6.2
 */
function isAdts(head: Uint8Array): boolean {
  const isSync = (at: number): boolean => head[at] === 0xff && ((head[at + 1] ?? 0) & 0xf6) === 0xf0;
  if (!isSync(0) || head.length < 7) return false;
  const [b3 = 0, b4 = 0, b5 = 0] = head.subarray(3, 6);
  const length = ((b3 & 3) << 11) | (b4 << 3) | (b5 >> 5);
  return length >= 7 && (length + 2 > head.length || isSync(length));
}
