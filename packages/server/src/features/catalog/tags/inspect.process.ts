import { type FileHandle, open, readFile } from 'node:fs/promises';
import { AudioFormatError } from '@stem-studio/dsp/format/audio-format-error';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import {
  isCodec,
  type KnownButUnsupported,
  SNIFF_BYTES,
  sniffCodec,
} from '@stem-studio/dsp/format/sniff-codec';
import { openInside } from '../../../platform/files/open-inside.ts';
import { serveProcess } from '../../../platform/process/serve-process.ts';
import { type ParsedPlaylist, parsePlaylist } from '../folder/parse-playlist.ts';
import { type ParsedTags, parseLengthMs, parseTags } from './parse-tags.ts';

/** A file, and what to read of it. */
export type InspectRequest =
  | {
      readonly kind: 'tags';
      readonly file: FileName;
      /** File name from which missing tags are derived; null to leave them empty. */
      readonly name: string | null;
      readonly withCover: boolean;
      /** Whether to read the whole file for its length where its beginning does not state it. */
      readonly withLength: boolean;
    }
  | { readonly kind: 'audio'; readonly file: FileName }
  | { readonly kind: 'playlist'; readonly file: FileName };

/** A file by its absolute path, or by a path below a folder that it must not leave. */
export interface FileName {
  readonly root: string | null;
  readonly path: string;
}

/** Tags of a file. `tags.cover` is null unless it was requested. */
export interface InspectedTags extends ParsedTags {
  readonly hasCover: boolean;
  /** Format of a file that only ffmpeg can decode. */
  readonly unsupported: KnownButUnsupported | null;
}

/** Whether the beginning of a file can be decoded; `refused` gives the reason if not. */
export interface InspectedAudio {
  readonly unsupported: KnownButUnsupported | null;
  readonly refused: string | null;
  /** Whether the bytes are in no known audio format. */
  readonly isUnknown: boolean;
}

/** Result of each kind of request. */
export interface InspectAnswers {
  readonly tags: InspectedTags;
  readonly audio: InspectedAudio;
  readonly playlist: ParsedPlaylist;
}

/** Time limit in ms for reading a whole file to determine its length. */
const longestLengthMs = 10_000;

serveProcess<InspectRequest, InspectAnswers[keyof InspectAnswers]>(async (request) => {
  const { root, path } = request.file;
  const handle = root === null ? await open(path) : await openInside(root, path);
  try {
    if (request.kind === 'playlist') return parsePlaylist(await readFile(handle, 'utf8'));
    return request.kind === 'audio' ? await inspectAudio(handle) : await inspectTags(handle, request);
  } finally {
    await handle.close();
  }
});

async function unsupportedFormat(handle: FileHandle): Promise<KnownButUnsupported | null> {
  const head = Buffer.alloc(SNIFF_BYTES);
  const { bytesRead } = await handle.read(head, 0, head.length, 0);
  const format = sniffCodec(head.subarray(0, bytesRead));
  return format === null || isCodec(format) ? null : format;
}

async function inspectAudio(handle: FileHandle): Promise<InspectedAudio> {
  const unsupported = await unsupportedFormat(handle);
  if (unsupported !== null) return { unsupported, refused: null, isUnknown: false };
  try {
    const source = await openAudio(handle.createReadStream({ autoClose: false, start: 0 }));
    await source.close();
    return { unsupported, refused: null, isUnknown: false };
  } catch (error) {
    if (!(error instanceof AudioFormatError)) throw error;
    return { unsupported, refused: error.message, isUnknown: error.code === 'not_audio' };
  }
}

async function inspectTags(
  handle: FileHandle,
  { name, withCover, withLength }: Extract<InspectRequest, { kind: 'tags' }>,
): Promise<InspectedTags> {
  const { tags, problem } = await parseTags(handle, name);
  const isLengthUnknown = withLength && tags.durationMs === 0 && problem?.kind !== 'limit';
  const durationMs = isLengthUnknown ? await lengthInTime(handle) : tags.durationMs;
  return {
    tags: { ...tags, durationMs, cover: withCover ? tags.cover : null },
    problem,
    hasCover: tags.cover !== null,
    unsupported: await unsupportedFormat(handle),
  };
}

async function lengthInTime(handle: FileHandle): Promise<number> {
  const late = Promise.withResolvers<number>();
  const timer = setTimeout(() => late.resolve(0), longestLengthMs);
  try {
    return await Promise.race([parseLengthMs(handle), late.promise]);
  } finally {
    clearTimeout(timer);
  }
}
