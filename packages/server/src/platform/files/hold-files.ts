import { createReadStream } from 'node:fs';
import { constants, copyFile, link, stat } from 'node:fs/promises';
import { join } from 'node:path';
import type { Context } from '../context.ts';
import type { ByteRange, FileFacts, Files } from './files.ts';

/** Stored files that stay readable although they are deleted meanwhile. */
export interface HeldFiles {
  /** The context's files; the held ones are read, measured and located even if they are deleted. */
  readonly files: Files;
  /** Must always be called; a second call has no effect. */
  release(): Promise<void>;
}

/**
 * Holds stored files for a long transfer: each gets a second name in a staging folder, so that its data remain until
 * `release`. Where the file system has no hard links, they are copied.
 *
 * @throws `ENOENT` if a file is missing
 */
export async function holdFiles({ files }: Context, paths: readonly string[]): Promise<HeldFiles> {
  const staging = await files.createStagingFolder();
  const names = new Map<string, string>();
  try {
    for (const [index, path] of paths.entries()) {
      const name = join(staging.path, String(index));
      await linkOrCopy(files.absolute(path), name);
      names.set(path, name);
    }
  } catch (error) {
    await staging.remove();
    throw error;
  }
  const view: Files = {
    ...files,
    absolute: (path) => names.get(path) ?? files.absolute(path),
    stat: async (path) => (await files.stat(path)) ?? factsOf(names.get(path)),
    read: (path, range) => readHeld(files.read(path, range), names.get(path), range),
  };
  return { files: view, release: () => staging.remove() };
}

async function linkOrCopy(from: string, to: string): Promise<void> {
  try {
    await link(from, to);
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') throw error;
    await copyFile(from, to, constants.COPYFILE_FICLONE);
  }
}

async function factsOf(name: string | undefined): Promise<FileFacts | null> {
  if (name === undefined) return null;
  const { size, mtime } = await stat(name);
  return { bytes: size, modified: mtime };
}

/** Reads a file by its own name, or by the held one if it was deleted before the first chunk. */
async function* readHeld(
  pieces: AsyncIterable<Uint8Array>,
  name: string | undefined,
  range: ByteRange | undefined,
): AsyncGenerator<Uint8Array> {
  let hasStarted = false;
  try {
    for await (const piece of pieces) {
      hasStarted = true;
      yield piece;
    }
    return;
  } catch (error) {
    const isMissing = (error as NodeJS.ErrnoException).code === 'ENOENT';
    if (hasStarted || !isMissing || name === undefined) throw error;
  }
  yield* createReadStream(name, range) as AsyncIterable<Uint8Array>;
}
