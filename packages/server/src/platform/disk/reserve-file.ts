import { randomBytes } from 'node:crypto';
import { open, rename, rm, stat } from 'node:fs/promises';
import { newId } from '../ids.ts';

const pieceBytes = 2 ** 20;

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
