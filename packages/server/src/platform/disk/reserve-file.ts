import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import { newId } from '../ids.ts';

const pieceBytes = 2 ** 20;
/** Time without a write after which an unfinished reserve file counts as abandoned, in ms. */
const longestPauseMs = 60_000;

/** Name of the reserve file in the uploads folder and in the data directory. An id is appended while it is written. */
export const reserveName = 'disk-reserve.bin';

/**
 * Writes a file of `bytes` random bytes. No file system can store it as a hole, compressed or deduplicated. It gets its
 * name when it is complete and synced to disk; after an error nothing remains.
 */
export async function writeReserveFile(path: string, bytes: number): Promise<void> {
  const temporaryPath = `${path}.${newId()}`;
  const handle = await open(temporaryPath, 'wx', 0o640);
  try {
    for (let written = 0; written < bytes; written += pieceBytes)
      await handle.writeFile(randomBytes(Math.min(pieceBytes, bytes - written)));
    await handle.sync();
    await handle.close();
    await rename(temporaryPath, path);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(temporaryPath, { force: true });
    throw error;
  }
}

/** Deletes a reserve file. Returns its size in bytes, 0 if there is none. */
export async function removeReserveFile(path: string): Promise<number> {
  const size = await stat(path).then(
    (facts) => facts.size,
    () => 0,
  );
  await rm(path, { force: true });
  return size;
}

/** Deletes unfinished reserve files of killed processes in a folder. */
export async function removeUnfinishedReserves(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${reserveName}.`)) continue;
    const facts = await stat(join(folder, name)).catch(() => null);
    if (facts && systemClock.now().getTime() - facts.mtimeMs > longestPauseMs)
      await rm(join(folder, name), { force: true });
  }
}
