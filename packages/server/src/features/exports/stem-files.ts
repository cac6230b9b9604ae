import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { type ExportFormat, exportFormatTable } from '@stem-studio/contract/export-formats';
import type { Context } from '../../context.ts';
import { holdSpace } from '../../platform/disk/reserve-space.ts';
import { notFound } from '../../platform/errors.ts';
import type { TakePlace } from '../../platform/process/places.ts';
import type { TakeTurn } from '../../platform/process/turns.ts';
import type { StemRow } from '../processing/index.ts';
import { downloadName } from './download-name.ts';
import { encodeInThread, encodeStemFileInThread } from './encode-in-thread.ts';
import type { ExportableMix, ExportableStemFile, ExportableStems } from './exports.service.ts';
import type { ServedFile } from './serve-file.ts';
import type { StemTags } from './stem-tags.ts';
import { openTaggedWav } from './tagged-wav.ts';
import type { ZipFile } from './zip-stream.ts';

/** How stems become files of a format; `takeTurn` bounds how many are encoded at the same time. */
export interface StemWork {
  readonly context: Context;
  readonly takeTurn: TakeTurn;
  /** Bounds how many files made for one user there are, being made or read. */
  readonly takePlace: TakePlace;
  readonly format: ExportFormat;
  /** Aborts when whoever asked has gone. */
  readonly signal: AbortSignal;
}

/** A stem that has been encoded aside. Whoever gets one calls `remove`. */
export interface EncodedStem {
  readonly path: string;
  remove(): Promise<void>;
}

/** Cover art and tags beside the sound. */
const coverBytes = 2 ** 20;

/** What of the song a stem is. */
function partOf(stem: StemRow): string {
  return stem.stem_type.replaceAll('_', ' ');
}

/** The name under which a stem is saved. */
export function stemName(found: ExportableStems, stem: StemRow, extension: ExportFormat): string {
  const { artist, title } = found.track;
  return downloadName({ artist, title, part: partOf(stem), extension });
}

/** The name under which a mix of stems is saved. */
export function mixName({ track, part }: ExportableMix, extension: ExportFormat): string {
  return downloadName({ artist: track.artist, title: track.title, part, extension });
}

/** The name under which a STEM file is saved: its ending is what DJ programs go by. */
export function stemFileName({ track: { artist, title } }: ExportableStemFile): string {
  return downloadName({ artist, title, part: 'stems', extension: 'stem.mp4' });
}

function tagsOf({ track }: ExportableStems, part: string): StemTags {
  const { title, artist, album, genre, bpm, key } = track;
  return {
    title: `${title} (${part})`,
    artist,
    album,
    genre,
    bpm: bpm === null ? '' : String(Math.round(bpm)),
    initialKey: key.replace(' major', '').replace(' minor', 'm'),
  };
}

/** Where the picture of a song lies that is ours; null where there is none, or it has been lost. */
async function coverPathOf({ files }: Context, track: ExportableStems['track']): Promise<string | null> {
  const path = track.audio?.cover_path ?? null;
  return path !== null && (await files.stat(path)) ? files.absolute(path) : null;
}

/** A stem as it is stored, with the tags of its song behind its samples. Throws `NOT_FOUND`. */
export async function taggedStem(
  context: Context,
  found: ExportableStems,
  stem: StemRow,
): Promise<ServedFile> {
  return openTaggedWav(
    context,
    stem.file_path,
    tagsOf(found, partOf(stem)),
    await coverPathOf(context, found.track),
  );
}

/** Encodes a stem in a thread of its own. On a throw, or when the asker goes, nothing remains. Throws `NOT_FOUND`. */
export function encodeAside(work: StemWork, found: ExportableStems, stem: StemRow): Promise<EncodedStem> {
  return encodeSum(work, found, {
    stems: [stem],
    part: partOf(stem),
    gain: found.gain,
  });
}

/** Encodes what the stems of a mix sum to, as {@link encodeAside} does a stem. */
export function mixAside(work: StemWork, mix: ExportableMix): Promise<EncodedStem> {
  return encodeSum(work, mix, { stems: mix.stems, part: mix.part, gain: null });
}

function encodeSum(
  work: StemWork,
  found: ExportableStems,
  { stems, part, gain }: { stems: readonly StemRow[]; part: string; gain: number | null },
): Promise<EncodedStem> {
  const { context, format, signal } = work;
  // A sum is as long as the longest of its parts, and no format of ours is larger than the stems themselves.
  const storesBytes = Math.max(...stems.map((stem) => stem.file_size)) + coverBytes;
  return makeAside({ ...work, storesBytes }, stems, `stem.${format}`, async (outputPath) =>
    encodeInThread(
      {
        inputPaths: pathsOf(context, stems),
        outputPath,
        format,
        gain,
        tags: tagsOf(found, part),
        coverPath: await coverPathOf(context, found.track),
      },
      signal,
    ),
  );
}

/** Makes a STEM file, as {@link encodeAside} does a stem. */
export function stemFileAside(
  work: Omit<StemWork, 'format'>,
  found: ExportableStemFile,
): Promise<EncodedStem> {
  const { context, signal } = work;
  // The stems and their sum.
  const stemsBytes = found.stems.reduce((sum, stem) => sum + stem.file_size, 0);
  const storesBytes = stemsBytes + Math.max(...found.stems.map((stem) => stem.file_size)) + coverBytes;
  return makeAside({ ...work, storesBytes }, found.stems, 'song.stem.mp4', async (outputPath) =>
    encodeStemFileInThread(
      {
        groups: found.groups.map(({ name, color, stems }) => ({
          name,
          color,
          inputPaths: pathsOf(context, stems),
        })),
        outputPath,
        // A song and no part of it.
        tags: { ...tagsOf(found, ''), title: found.track.title },
        coverPath: await coverPathOf(context, found.track),
      },
      signal,
    ),
  );
}

const pathsOf = ({ files }: Context, stems: readonly StemRow[]): string[] =>
  stems.map((stem) => files.absolute(stem.file_path));

/** Has a file made when there is a place and it is its turn, in a folder that goes with it. Throws `NOT_FOUND` where a stem's file is gone. */
async function makeAside(
  {
    context,
    takeTurn,
    takePlace,
    signal,
    storesBytes,
  }: Omit<StemWork, 'format'> & {
    /** The most that the file may take on the disk. */
    readonly storesBytes: number;
  },
  stems: readonly StemRow[],
  name: string,
  make: (outputPath: string) => Promise<void>,
): Promise<EncodedStem> {
  for (const { file_path } of stems)
    if (!(await context.files.stat(file_path))) throw notFound('file of the stem');
  const leave = await takePlace(signal);
  const held = await holdSpace(context, {
    what: 'this export',
    bytes: storesBytes,
    storesFor: null,
  }).catch((error: unknown) => {
    leave();
    throw error;
  });
  const leavePlace = () => {
    leave();
    void held.release();
  };
  const aside = await context.files.aside().catch((error: unknown) => {
    leavePlace();
    throw error;
  });
  const path = join(aside.path, name);
  const remove = async () => {
    try {
      await aside.remove();
    } finally {
      leavePlace();
    }
  };
  try {
    await takeTurn(signal, () => make(path));
    return { path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Name and size of the stored files, or null where the format has to be encoded and no size is known before. */
export async function storedSizes(
  { context, format }: StemWork,
  found: ExportableStems,
): Promise<{ name: string; bytes: number }[] | null> {
  if (!exportFormatTable[format].isStored) return null;
  return Promise.all(
    found.stems.map(async (stem) => {
      const { bytes } = await taggedStem(context, found, stem);
      return { name: stemName(found, stem, format), bytes };
    }),
  );
}

/** The stems as files of the asked format, each made when it is its turn and gone when it has been read. */
export async function* stemFiles(work: StemWork, found: ExportableStems): AsyncGenerator<ZipFile> {
  const { context, format } = work;
  for (const stem of found.stems) {
    const named = { name: stemName(found, stem, format), modified: stem.created_at };
    if (exportFormatTable[format].isStored) {
      const file = await taggedStem(context, found, stem);
      yield { ...named, bytes: file.read({ start: 0, end: file.bytes - 1 }) };
      continue;
    }
    const encoded = await encodeAside(work, found, stem);
    try {
      yield { ...named, bytes: createReadStream(encoded.path) };
    } finally {
      await encoded.remove();
    }
  }
}
