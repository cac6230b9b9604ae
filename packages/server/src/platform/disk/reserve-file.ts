import { randomBytes } from 'node:crypto';
import { open, readdir, rename, rm, stat } from 'node:fs/promises';
import { join } from 'node:path';
import { systemClock } from '../clock.ts';
import { newId } from '../ids.ts';

const pieceBytes = 2 ** 20;
/** Whoever writes a reserve writes all the time. */
const longestPauseMs = 60_000;

/** Name of the reserve file in the uploads folder and in the data directory; with an id behind it while it is written. */
export const reserveName = 'disk-reserve.bin';

/**
 * Writes a file of `bytes` real bytes: no hole, and nothing that a file system could compress or store once. Named only
 * when it is whole and on the disk; on a throw nothing remains.
 */
export async function writeReserveFile(path: string, bytes: number): Promise<void> {
  const aside = `${path}.${newId()}`;
  const handle = await open(aside, 'wx', 0o640);
  try {
    for (let written = 0; written < bytes; written += pieceBytes)
      await handle.writeFile(randomBytes(Math.min(pieceBytes, bytes - written)));
    await handle.sync();
    await handle.close();
    await rename(aside, path);
  } catch (error) {
    await handle.close().catch(() => undefined);
    await rm(aside, { force: true });
    throw error;
  }
}

/** Deletes a reserve file. Answers how many bytes it had; 0 where there is none. */
export async function removeReserveFile(path: string): Promise<number> {
  const size = await stat(path).then(
    (facts) => facts.size,
    () => 0,
  );
  await rm(path, { force: true });
  return size;
}

/** Deletes what a process that was killed while it wrote the reserve of a folder has left there. */
export async function removeUnfinishedReserves(folder: string): Promise<void> {
  for (const name of await readdir(folder)) {
    if (!name.startsWith(`${reserveName}.`)) continue;
    const facts = await stat(join(folder, name)).catch(() => null);
    if (facts && systemClock.now().getTime() - facts.mtimeMs > longestPauseMs)
      await rm(join(folder, name), { force: true });
  }
}
