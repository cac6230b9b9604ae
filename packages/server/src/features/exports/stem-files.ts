import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import { type ExportFormat, exportFormatTable } from '@stem-studio/contract/export-formats';
import { transposedKey } from '@stem-studio/contract/transposed-key';
import type { Context } from '../../platform/context.ts';
import { holdSpace } from '../../platform/disk/reserve-space.ts';
import { notFound } from '../../platform/errors.ts';
import { type HeldFiles, holdFiles } from '../../platform/files/hold-files.ts';
import type { AcquirePermit } from '../../platform/process/keyed-semaphore.ts';
import type { WithPermit } from '../../platform/process/semaphore.ts';
import type { StemRow } from '../processing/index.ts';
import type { TrackWithAudio } from '../tracks/index.ts';
import { downloadName } from './download-name.ts';
import { encodeInThread, encodeStemFileInThread } from './encode-in-thread.ts';
import type { ExportableMix, ExportableStemFile, ExportableStems } from './exports.service.ts';
import type { ServedFile } from './serve-file.ts';
import type { StemTags } from './stem-tags.ts';
import { openTaggedWav } from './tagged-wav.ts';
import type { ZipFile } from './zip-stream.ts';

/** Context of an export; `withPermit` limits how many files are encoded at the same time. */
export interface StemWork {
  readonly context: Context;
  readonly withPermit: WithPermit;
  /** Limits the temporary files of one user. */
  readonly acquirePermit: AcquirePermit;
  readonly format: ExportFormat;
  /** Aborts when the client disconnects. */
  readonly signal: AbortSignal;
}

/** Temporary file with an encoded stem or mix; the caller removes it. */
export interface TemporaryFile {
  readonly path: string;
  remove(): Promise<void>;
}

/** Space for cover art and tags. */
const coverBytes = 2 ** 20;

/** Returns the stem type as text. */
function partOf(stem: StemRow): string {
  return stem.stem_type.replaceAll('_', ' ');
}

/** Returns the file name of a stem. */
export function stemName(found: ExportableStems, stem: StemRow, extension: ExportFormat): string {
  const { artist, title } = found.track;
  return downloadName({ artist, title, part: partOf(stem), extension });
}

/** Returns the file name of a mix. */
export function mixName({ track, part }: ExportableMix, extension: ExportFormat): string {
  return downloadName({ artist: track.artist, title: track.title, part, extension });
}

/** Returns the file name of a STEM file, whose extension DJ programs recognise. */
export function stemFileName({ track: { artist, title } }: ExportableStemFile): string {
  return downloadName({ artist, title, part: 'stems', extension: 'stem.mp4' });
}

/** Returns the tags of a part of a track, at another tempo and key where given. */
export function tagsOf(
  { track }: { readonly track: TrackWithAudio },
  part: string,
  tempoAndKey: ExportableMix['tempoAndKey'] = null,
): StemTags {
  const { title, artist, album, genre, bpm, key } = track;
  return {
    title: `${title} (${part})`,
    artist,
    album,
    genre,
    bpm: bpm === null ? '' : String(Math.round(bpm * (tempoAndKey?.rate ?? 1))),
    initialKey: transposedKey(key, tempoAndKey?.semitones ?? 0)
      .replace(' major', '')
      .replace(' minor', 'm'),
  };
}

/** Returns the absolute path of the cover art; null if there is none. */
export async function coverPathOf({ files }: Context, track: TrackWithAudio): Promise<string | null> {
  const path = track.audio?.cover_path ?? null;
  return path !== null && (await files.stat(path)) ? files.absolute(path) : null;
}

/** Opens a stored stem with the tags of its song. Throws `NOT_FOUND`. */
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

/** Encodes a stem into a temporary file, removed after an error or abort. Throws `NOT_FOUND`. */
export function encodeStemToFile(
  work: StemWork,
  found: ExportableStems,
  stem: StemRow,
): Promise<TemporaryFile> {
  return encodeSum(work, found, {
    stems: [stem],
    part: partOf(stem),
    gain: found.gain,
    tempoAndKey: null,
  });
}

/** Encodes a mix as {@link encodeStemToFile} does a stem. */
export function encodeMixToFile(work: StemWork, mix: ExportableMix): Promise<TemporaryFile> {
  const { stems, part, tempoAndKey } = mix;
  return encodeSum(work, mix, { stems, part, gain: null, tempoAndKey });
}

function encodeSum(
  work: StemWork,
  found: ExportableStems,
  {
    stems,
    part,
    gain,
    tempoAndKey,
  }: {
    stems: readonly StemRow[];
    part: string;
    gain: number | null;
    tempoAndKey: ExportableMix['tempoAndKey'];
  },
): Promise<TemporaryFile> {
  const { context, format, signal } = work;
  // A sum is as long as its longest stem, and no format is larger than the stored stems.
  const longest = Math.max(...stems.map((stem) => stem.file_size)) / (tempoAndKey?.rate ?? 1);
  const storesBytes = Math.ceil(longest) + coverBytes;
  return encodeToFile({ ...work, storesBytes }, stems, `stem.${format}`, async (outputPath) =>
    encodeInThread(
      {
        inputPaths: pathsOf(context, stems),
        outputPath,
        format,
        gain,
        tempoAndKey,
        tags: tagsOf(found, part, tempoAndKey),
        coverPath: await coverPathOf(context, found.track),
      },
      signal,
    ),
  );
}

/** Encodes a STEM file as {@link encodeStemToFile} does a stem. */
export function encodeStemFileToFile(
  work: Omit<StemWork, 'format'>,
  found: ExportableStemFile,
): Promise<TemporaryFile> {
  const { context, signal } = work;
  // The stems and their sum.
  const stemsBytes = found.stems.reduce((sum, stem) => sum + stem.file_size, 0);
  const storesBytes = stemsBytes + Math.max(...found.stems.map((stem) => stem.file_size)) + coverBytes;
  return encodeToFile({ ...work, storesBytes }, found.stems, 'song.stem.mp4', async (outputPath) =>
    encodeStemFileInThread(
      {
        groups: found.groups.map(({ name, color, stems }) => ({
          name,
          color,
          inputPaths: pathsOf(context, stems),
        })),
        outputPath,
        // The whole song, not a part of it.
        tags: { ...tagsOf(found, ''), title: found.track.title },
        coverPath: await coverPathOf(context, found.track),
      },
      signal,
    ),
  );
}

const pathsOf = ({ files }: Context, stems: readonly StemRow[]): string[] =>
  stems.map((stem) => files.absolute(stem.file_path));

/**
 * Encodes into a temporary folder within the limits of files and encoders. Throws `NOT_FOUND` if a stem's file is
 * missing.
 */
async function encodeToFile(
  {
    context,
    withPermit,
    acquirePermit,
    signal,
    storesBytes,
  }: Omit<StemWork, 'format'> & {
    /** Largest size of the file on disk. */
    readonly storesBytes: number;
  },
  stems: readonly StemRow[],
  name: string,
  make: (outputPath: string) => Promise<void>,
): Promise<TemporaryFile> {
  for (const { file_path } of stems)
    if (!(await context.files.stat(file_path))) throw notFound('file of the stem');
  const releasePermit = await acquirePermit(signal);
  const held = await holdSpace(context, {
    what: 'this export',
    bytes: storesBytes,
    storesFor: null,
  }).catch((error: unknown) => {
    releasePermit();
    throw error;
  });
  const releaseAll = () => {
    releasePermit();
    void held.release();
  };
  const staging = await context.files.createStagingFolder().catch((error: unknown) => {
    releaseAll();
    throw error;
  });
  const path = join(staging.path, name);
  const remove = async () => {
    try {
      await staging.remove();
    } finally {
      releaseAll();
    }
  };
  try {
    await withPermit(signal, () => make(path));
    return { path, remove };
  } catch (error) {
    await remove();
    throw error;
  }
}

/** Holds the files of stems, so that an export of them can finish. Throws `NOT_FOUND` if one is missing. */
export async function holdStems(context: Context, { stems }: ExportableStems): Promise<HeldFiles> {
  const paths = stems.map(({ file_path }) => file_path);
  return holdFiles(context, paths).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? notFound('file of the stem') : error;
  });
}

/** Returns names and sizes of the stored files; null for a format that is encoded, whose sizes are unknown. */
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

/** Yields the stems in the requested format, each encoded when it is read and removed afterwards. */
export async function* stemFiles(work: StemWork, found: ExportableStems): AsyncGenerator<ZipFile> {
  const { context, format } = work;
  for (const stem of found.stems) {
    const named = { name: stemName(found, stem, format), modified: stem.created_at };
    if (exportFormatTable[format].isStored) {
      const file = await taggedStem(context, found, stem);
      yield { ...named, bytes: file.read({ start: 0, end: file.bytes - 1 }) };
      continue;
    }
    const encoded = await encodeStemToFile(work, found, stem);
    try {
      yield { ...named, bytes: createReadStream(encoded.path) };
    } finally {
      await encoded.remove();
    }
  }
}
