import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Null for an error that means "there is no such file"; throws every other one. */
export function ignoreMissing(error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw error;
}

/** Puts the names in a folder on the disk. Not every system can do that to a folder. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  await handle.sync().catch(() => undefined);
  await handle.close();
}

/** When something at or below a path was last changed, in epoch milliseconds; 0 where there is nothing. */
export async function newestChange(path: string): Promise<number> {
  const facts = await lstat(path).catch(ignoreMissing);
  if (!facts) return 0;
  if (!facts.isDirectory()) return facts.mtimeMs;
  const inner = await Promise.all((await readdir(path)).map((name) => newestChange(join(path, name))));
  return Math.max(facts.mtimeMs, ...inner);
}

/** How many files there are at or below a path, and their bytes; links are not followed. */
export async function weigh(path: string): Promise<{ files: number; bytes: number }> {
  const facts = await lstat(path).catch(ignoreMissing);
  if (!facts) return { files: 0, bytes: 0 };
  if (!facts.isDirectory()) return { files: 1, bytes: facts.size };
  const sum = { files: 0, bytes: 0 };
  for (const name of await readdir(path)) {
    const { files, bytes } = await weigh(join(path, name));
    sum.files += files;
    sum.bytes += bytes;
  }
  return sum;
}
