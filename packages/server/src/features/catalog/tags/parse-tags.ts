import type { FileHandle } from 'node:fs/promises';
import { trackBounds } from '@stem-studio/contract/limits';
import { sniffCodec } from '@stem-studio/dsp/format/sniff-codec';
import { CouldNotDetermineFileTypeError, parseFromTokenizer, selectCover } from 'music-metadata';
import { BufferSizeError, FileTokenizer } from 'strtok3';
import { messageOf } from '../../../platform/errors.ts';
import type { CoverImage } from '../catalog-provider.ts';
import { checkStructure } from './check-structure.ts';
import { FileWindow } from './file-window.ts';
import { TagLimitError, tagLimits } from './tag-limits.ts';

/** Tags of an audio file. Texts are trimmed and at most 300 characters. */
export interface FileTags {
  readonly title: string;
  readonly artist: string;
  readonly album: string;
  /** Artist of the album, which determines the files of one album. */
  readonly albumArtist: string;
  readonly genre: string;
  readonly isrc: string | null;
  readonly year: number | null;
  readonly comment: string;
  readonly discNumber: number;
  readonly trackNumber: number;
  /** 0 when the beginning of the file does not state it. */
  readonly durationMs: number;
  readonly cover: CoverImage | null;
}

/** Why the tags of a file were not read. */
export interface TagProblem {
  /** `limit`: the file states more than the limits, or its parser had to be ended. `damaged`: the tags are invalid. */
  readonly kind: 'limit' | 'damaged';
  /** Completes the sentence "The tags could not be read: …". */
  readonly reason: string;
}

/** Tags of a file, or tags derived from its name with the reason. */
export interface ParsedTags {
  readonly tags: FileTags;
  readonly problem: TagProblem | null;
}

function text(value: string | undefined): string {
  // Control characters are not part of a title.
  return (value ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 300);
}

/** Returns a disc or track number; 0 where the file has none that is plausible. */
function listNumber(value: number | null | undefined): number {
  return value && Number.isInteger(value) && value > 0 && value <= 99_999 ? value : 0;
}

/** Returns a year of release; null where the file has none that is plausible. */
function plausibleYear(value: number | null | undefined): number | null {
  const { min, max } = trackBounds.year;
  return value && Number.isInteger(value) && value >= min && value <= max ? value : null;
}

/** Returns milliseconds; 0 for an impossible duration: a damaged file may state a negative one. */
function milliseconds(seconds: number | undefined): number {
  const whole = Math.round((seconds ?? 0) * 1000);
  return whole > 0 && whole < 2 ** 31 ? whole : 0;
}

/**
 * Returns a title derived from a file name. Drops folder, extension and a leading track number, and replaces
 * underscores by spaces.
 */
export function titleFromName(name: string): string {
  const base = name.slice(name.lastIndexOf('/') + 1).replace(/\.[A-Za-z0-9]{1,5}$/, '');
  const spaced = base.replaceAll('_', ' ').trim();
  return text(spaced.replace(/^\d{1,3}[\s.\-)]+(?=\S)/, '')) || text(spaced) || 'Untitled';
}

/** Splits "Artist - Title" in a file name; the artist is empty when there is no such dash. */
function fromName(name: string): { artist: string; title: string } {
  const title = titleFromName(name);
  const match = /^(.+?)\s+[-–—]\s+(.+)$/.exec(title);
  return match ? { artist: match[1] ?? '', title: match[2] ?? title } : { artist: '', title };
}

/** Returns tags derived from the file name alone; empty ones where `name` is null. */
export function tagsFromName(name: string | null): FileTags {
  const guess = name === null ? { artist: '', title: '' } : fromName(name);
  return {
    ...guess,
    album: '',
    albumArtist: '',
    genre: '',
    isrc: null,
    year: null,
    comment: '',
    discNumber: 0,
    trackNumber: 0,
    durationMs: 0,
    cover: null,
  };
}

/**
 * Reads the tags of an open file. Missing tags, or all of them when unreadable, are derived from `name`, or stay empty
 * where that is null. Allocates memory by lengths stated in the file: call it in a limited process only.
 */
export async function parseTags(handle: FileHandle, name: string | null): Promise<ParsedTags> {
  try {
    const { size } = await handle.stat();
    await checkStructure(new FileWindow(handle, size));
    const { common, format } = await parse(handle, size, false);
    const picture = selectCover(common.picture);
    const pictureType =
      picture && /^image\/(jpeg|jpg|png|webp|gif)$/i.test(picture.format) ? picture.format : null;
    const guess = tagsFromName(name);
    const tags = {
      title: text(common.title) || guess.title,
      artist: text(common.artist) || (text(common.title) === '' ? guess.artist : ''),
      album: text(common.album),
      albumArtist: text(common.albumartist) || text(common.artist),
      genre: text(common.genre?.[0]),
      isrc: text(common.isrc?.[0]) || null,
      year: plausibleYear(common.year),
      comment: text(common.comment?.[0]?.text),
      discNumber: listNumber(common.disk.no),
      trackNumber: listNumber(common.track.no),
      durationMs: milliseconds(format.duration),
      cover:
        picture && pictureType
          ? { bytes: picture.data, mediaType: pictureType.toLowerCase().replace('jpg', 'jpeg') }
          : null,
    };
    return { tags, problem: null };
  } catch (error) {
    // A damaged file still has a name; decoding decides whether it is playable.
    const problem: TagProblem =
      error instanceof TagLimitError || error instanceof BufferSizeError
        ? { kind: 'limit', reason: messageOf(error) }
        : { kind: 'damaged', reason: `they are damaged (${messageOf(error)})` };
    return { tags: tagsFromName(name), problem };
  }
}

/**
 * Returns the length in ms of a file that states it only in its last bytes. Returns 0 where it cannot be determined.
 * Requires that the structure of the file has been checked.
 */
export async function parseLengthMs(handle: FileHandle): Promise<number> {
  const { size } = await handle.stat();
  return parse(handle, size, true).then(
    ({ format }) => milliseconds(format.duration),
    () => 0,
  );
}

/** Reads from an open file, and refuses to allocate more than the limit of a whole tag. */
class OpenFileTokenizer extends FileTokenizer {
  constructor(handle: FileHandle, size: number) {
    super(handle, { fileInfo: { size }, maxBufferSize: tagLimits.tagBytes });
  }
}

async function parse(handle: FileHandle, size: number, duration: boolean) {
  const tokenizer = () => new OpenFileTokenizer(handle, size);
  try {
    return await parseFromTokenizer(tokenizer(), { duration });
  } catch (error) {
    if (!(error instanceof CouldNotDetermineFileTypeError)) throw error;
    // An MP3 may begin with bytes that are not frames.
    const head = Buffer.alloc(65_536);
    const { bytesRead } = await handle.read(head, 0, head.length, 0);
    if (sniffCodec(head.subarray(0, bytesRead)) !== 'mp3') throw error;
    const file = tokenizer();
    file.fileInfo.mimeType = 'audio/mpeg';
    return parseFromTokenizer(file, { duration });
  }
}
