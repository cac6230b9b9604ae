import { createHash } from 'node:crypto';
import { createWavHeader } from '@stem-studio/dsp/format/wav-file-header';
import type { Context } from '../../platform/context.ts';
import { factsOf, type ServedFile, tagOf } from './serve-file.ts';
import { type StemTags, writeStemTags } from './stem-tags.ts';

/** Largest size of a WAV file, given by its 32-bit size fields. */
const MAX_RIFF_BYTES = 0xffff_ffff;

/** Identifiers of the INFO chunks that most programs read. @see Multimedia Programming Interface 1.0, page 2-14 */
const infoNames = { title: 'INAM', artist: 'IART', album: 'IPRD', genre: 'IGNR' } as const;

function chunk(name: string, content: Uint8Array): Buffer {
  const bytes = Buffer.alloc(8 + content.length + (content.length % 2));
  bytes.write(name, 'latin1');
  bytes.writeUInt32LE(content.length, 4);
  bytes.set(content, 8);
  return bytes;
}

function infoList(tags: StemTags): Buffer {
  const entries = Object.entries(infoNames).flatMap(([field, name]) => {
    const value = tags[field as keyof typeof infoNames];
    return value === '' ? [] : [chunk(name, Buffer.from(`${value}\0`, 'utf8'))];
  });
  return chunk('LIST', Buffer.concat([Buffer.from('INFO', 'latin1'), ...entries]));
}

/** Returns the chunks after the samples, of even length in bytes: an INFO list, and ID3 with the cover art. */
async function tagChunks(tags: StemTags, coverPath: string | null): Promise<Buffer> {
  const empty = createWavHeader({ sampleRate: 44_100, channels: 2, bitDepth: '16' }, 0, false);
  const tagged = await writeStemTags(empty, tags, coverPath);
  return Buffer.concat([infoList(tags), tagged.subarray(empty.length)]);
}

/** Reads the bytes `start` to `end` (inclusive) of concatenated files. */
async function* readPieces(
  pieces: readonly ServedFile[],
  { start, end }: { readonly start: number; readonly end: number },
): AsyncGenerator<Uint8Array> {
  let from = 0;
  for (const piece of pieces) {
    const first = Math.max(start, from) - from;
    const last = Math.min(end, from + piece.bytes - 1) - from;
    if (first <= last) yield* piece.read({ start: first, end: last });
    from += piece.bytes;
  }
}

function inMemory(bytes: Buffer): ServedFile {
  return {
    bytes: bytes.length,
    tag: '',
    async *read({ start, end }) {
      yield bytes.subarray(start, end + 1);
    },
  };
}

/**
 * Opens a stored WAV with the song's tags after the samples. The stored file is not changed, because several tracks
 * may share it; any range can be read. A file that would exceed its size fields gets no tags. Throws `NOT_FOUND`.
 */
export async function openTaggedWav(
  context: Context,
  path: string,
  tags: StemTags,
  coverPath: string | null,
): Promise<ServedFile> {
  const facts = await factsOf(context, path);
  const stored: ServedFile = {
    bytes: facts.bytes,
    tag: tagOf(facts),
    read: (range) => context.files.read(path, range),
  };
  const chunks = await tagChunks(tags, coverPath);
  const length = facts.bytes + chunks.length;
  // Longer files are RF64, which stores its size elsewhere; and a chunk must begin at an even byte.
  if (length > MAX_RIFF_BYTES || facts.bytes % 2 === 1) return stored;
  const head = Buffer.from('RIFF\0\0\0\0', 'latin1');
  head.writeUInt32LE(length - 8, 4);
  const body: ServedFile = {
    bytes: facts.bytes - head.length,
    tag: '',
    read: ({ start, end }) => stored.read({ start: start + head.length, end: end + head.length }),
  };
  const pieces = [inMemory(head), body, inMemory(chunks)];
  const mark = createHash('sha256').update(chunks).digest('base64url').slice(0, 12);
  return { bytes: length, tag: `${stored.tag}-${mark}`, read: (range) => readPieces(pieces, range) };
}
