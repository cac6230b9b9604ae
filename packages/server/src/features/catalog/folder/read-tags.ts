import { parseFile, selectCover } from 'music-metadata';
import type { CoverPicture } from '../catalog-provider.ts';

/** What an audio file says about itself. Texts are trimmed and at most 300 characters. */
export interface FileTags {
  readonly title: string;
  readonly artist: string;
  readonly album: string;
  /** Who the album is by; decides which files are one album. */
  readonly albumArtist: string;
  readonly genre: string;
  readonly isrc: string | null;
  readonly discNumber: number;
  readonly trackNumber: number;
  /** 0 when the file does not say at its beginning. */
  readonly durationMs: number;
  readonly cover: CoverPicture | null;
}

function text(value: string | undefined): string {
  // Tags come from anywhere: control characters are no part of a title.
  return (value ?? '')
    .replace(/\p{Cc}+/gu, ' ')
    .trim()
    .slice(0, 300);
}

/** A place on a disc, 0 where the file says none that a disc can have. */
function place(value: number | null | undefined): number {
  return value && Number.isInteger(value) && value > 0 && value <= 99_999 ? value : 0;
}

/** Milliseconds, 0 where the file says no time that a file can last: a damaged one may say less than none. */
function milliseconds(seconds: number | undefined): number {
  const whole = Math.round((seconds ?? 0) * 1000);
  return whole > 0 && whole < 2 ** 31 ? whole : 0;
}

/** A title made from a file name: without folder and ending, underscores as spaces, a leading track number dropped. */
export function titleFromName(name: string): string {
  const base = name.slice(name.lastIndexOf('/') + 1).replace(/\.[A-Za-z0-9]{1,5}$/, '');
  const words = base.replaceAll('_', ' ').trim();
  return text(words.replace(/^\d{1,3}[\s.\-)]+(?=\S)/, '')) || text(words) || 'Untitled';
}

/** "Artist - Title" as a file name often has it; the artist is empty when there is no such dash. */
function fromName(name: string): { artist: string; title: string } {
  const title = titleFromName(name);
  const match = /^(.+?)\s+[-–—]\s+(.+)$/.exec(title);
  return match ? { artist: match[1] ?? '', title: match[2] ?? title } : { artist: '', title };
}

/**
 * The tags of the file at `absolutePath`; what it lacks, or all of it when unreadable, is taken from `name`, or stays
 * empty where that is null.
 */
export async function readTags(absolutePath: string, name: string | null): Promise<FileTags> {
  const guess = name === null ? { artist: '', title: '' } : fromName(name);
  try {
    const { common, format } = await parseFile(absolutePath, { duration: false });
    const picture = selectCover(common.picture);
    const pictureType =
      picture && /^image\/(jpeg|jpg|png|webp|gif)$/i.test(picture.format) ? picture.format : null;
    return {
      title: text(common.title) || guess.title,
      artist: text(common.artist) || (text(common.title) === '' ? guess.artist : ''),
      album: text(common.album),
      albumArtist: text(common.albumartist) || text(common.artist),
      genre: text(common.genre?.[0]),
      isrc: text(common.isrc?.[0]) || null,
      discNumber: place(common.disk.no),
      trackNumber: place(common.track.no),
      durationMs: milliseconds(format.duration),
      cover:
        picture && pictureType
          ? { bytes: picture.data, mediaType: pictureType.toLowerCase().replace('jpg', 'jpeg') }
          : null,
    };
  } catch {
    // A damaged file still has a name; whether it can be played is decided when its sound is read.
    return {
      ...guess,
      album: '',
      albumArtist: '',
      genre: '',
      isrc: null,
      discNumber: 0,
      trackNumber: 0,
      durationMs: 0,
      cover: null,
    };
  }
}

/** The length of a file that says it only with its last bytes, in milliseconds; 0 where it cannot be told. */
export async function readLengthMs(absolutePath: string): Promise<number> {
  const { format } = await parseFile(absolutePath, { duration: true });
  return milliseconds(format.duration);
}
