import { createReadStream } from 'node:fs';
import { join } from 'node:path';
import type { ExportFormat } from '@stem-studio/contract/endpoints/exports';
import type { Context } from '../../context.ts';
import { notFound } from '../../platform/errors.ts';
import type { TakeTurn } from '../../platform/process/turns.ts';
import type { StemRow } from '../processing/index.ts';
import { downloadName } from './download-name.ts';
import { encodeInThread } from './encode-in-thread.ts';
import type { ExportableStems } from './exports.service.ts';
import type { ServedFile } from './serve-file.ts';
import type { StemTags } from './stem-tags.ts';
import { openTaggedWav } from './tagged-wav.ts';
import type { ZipFile } from './zip-stream.ts';

/** How stems become files of a format; `takeTurn` bounds how many are encoded at the same time. */
export interface StemWork {
  readonly context: Context;
  readonly takeTurn: TakeTurn;
  readonly format: ExportFormat;
  /** Aborts when whoever asked has gone. */
  readonly signal: AbortSignal;
}

/** A stem that has been encoded aside. Whoever gets one calls `remove`. */
export interface EncodedStem {
  readonly path: string;
  remove(): Promise<void>;
}

/** The name under which a stem is saved. */
export function stemName(found: ExportableStems, stem: StemRow, extension: ExportFormat): string {
  const { artist, title } = found.track;
  return downloadName({ artist, title, part: stem.stem_type.replaceAll('_', ' '), extension });
}

function tagsOf({ track }: ExportableStems, stem: StemRow): StemTags {
  const { title, artist, album, genre, bpm, key } = track;
  return {
    title: `${title} (${stem.stem_type.replaceAll('_', ' ')})`,
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
  return openTaggedWav(context, stem.file_path, tagsOf(found, stem), await coverPathOf(context, found.track));
}

/** Encodes a stem in a thread of its own. On a throw, or when the asker goes, nothing remains. Throws `NOT_FOUND`. */
export async function encodeAside(
  { context, takeTurn, format, signal }: StemWork,
  found: ExportableStems,
  stem: StemRow,
): Promise<EncodedStem> {
  if (!(await context.files.stat(stem.file_path))) throw notFound('file of the stem');
  const aside = await context.files.aside();
  const path = join(aside.path, `stem.${format}`);
  try {
    await takeTurn(signal, async () =>
      encodeInThread(
        {
          inputPath: context.files.absolute(stem.file_path),
          outputPath: path,
          format: format === 'mp3' ? 'mp3' : 'flac',
          gain: found.gain,
          tags: tagsOf(found, stem),
          coverPath: await coverPathOf(context, found.track),
        },
        signal,
      ),
    );
    return { path, remove: () => aside.remove() };
  } catch (error) {
    await aside.remove();
    throw error;
  }
}

/** Name and size of the stored files, or null where the format has to be encoded and no size is known before. */
export async function storedSizes(
  { context, format }: StemWork,
  found: ExportableStems,
): Promise<{ name: string; bytes: number }[] | null> {
  if (format !== 'wav') return null;
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
    if (format === 'wav') {
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
