import type { Readable } from 'node:stream';
import type { Context } from '../../../platform/context.ts';
import { stateForbids } from '../../../platform/errors.ts';
import { type HeldFiles, holdFiles } from '../../../platform/files/hold-files.ts';
import type { StemRow } from '../../processing/index.ts';
import { type ZipFile, zipBytes, zipStream } from '../zip-stream.ts';

/** A ZIP of stored files that can be sent. */
export interface StoredZip {
  /** Name of the download. */
  readonly name: string;
  /** Exact length in bytes. */
  readonly bytes: bigint;
  /** Creates the ZIP while it is read. */
  stream(): Readable;
  /** Must always be called; a second call has no effect. */
  release(): Promise<void>;
}

/** A stored file with its name in a ZIP. */
export interface StoredFile {
  readonly path: string;
  readonly storedPath: string;
  readonly bytes: number;
}

/** Content of a ZIP: files that were made for it, then stored ones. */
export interface ZipContent {
  readonly name: string;
  readonly made: readonly { readonly path: string; readonly content: Buffer }[];
  readonly stored: readonly StoredFile[];
  readonly modified: Date;
}

/** Returns the error of a project whose stems were deleted. */
export const withoutStems = () =>
  stateForbids(
    'PROJECT_WITHOUT_STEMS',
    'the stems of this project were deleted. Separate the track into the same stems again, then export it',
  );

/** Returns the file of a stem under a folder of a ZIP. Throws `PROJECT_WITHOUT_STEMS` if it is missing. */
export async function storedStem({ files }: Context, stem: StemRow, folder: string): Promise<StoredFile> {
  const stored = await files.stat(stem.file_path);
  if (!stored) throw withoutStems();
  return { path: `${folder}/${stem.stem_type}.wav`, storedPath: stem.file_path, bytes: stored.bytes };
}

/**
 * Opens a ZIP whose stored files stay readable until `release`, even if they are deleted meanwhile. Throws
 * `PROJECT_WITHOUT_STEMS` if one is missing.
 */
export async function openStoredZip(
  context: Context,
  { name, made, stored, modified }: ZipContent,
): Promise<StoredZip> {
  const paths = stored.map(({ storedPath }) => storedPath);
  const held = await holdFiles(context, paths).catch((error: NodeJS.ErrnoException) => {
    throw error.code === 'ENOENT' ? withoutStems() : error;
  });
  const sizes = [
    ...made.map(({ path, content }) => ({ name: path, bytes: content.length })),
    ...stored.map(({ path, bytes }) => ({ name: path, bytes })),
  ];
  return {
    name,
    bytes: zipBytes(sizes),
    stream: () => zipStream(entriesOf(held, { name, made, stored, modified })),
    release: () => held.release(),
  };
}

async function* entriesOf(
  { files }: HeldFiles,
  { made, stored, modified }: ZipContent,
): AsyncGenerator<ZipFile> {
  for (const { path, content } of made) yield { name: path, modified, bytes: oneChunk(content) };
  for (const { path, storedPath } of stored) yield { name: path, modified, bytes: files.read(storedPath) };
}

async function* oneChunk(bytes: Buffer): AsyncGenerator<Uint8Array> {
  yield await Promise.resolve(bytes);
}
