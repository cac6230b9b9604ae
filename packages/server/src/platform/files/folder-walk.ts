import { lstat, open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

/** Returns null for an error that means "no such file", and throws any other error. */
export function ignoreMissing(error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw error;
}

/** Syncs the entries of a folder to disk. Not every operating system supports this. */
export async function syncFolder(path: string): Promise<void> {
  if (process.platform === 'win32') return;
  const handle = await open(path, 'r');
  await handle.sync().catch(() => undefined);
  await handle.close();
}

/** Returns the time of the newest change at or below a path, in epoch milliseconds. Returns 0 if nothing is there. */
export async function newestChange(path: string): Promise<number> {
  const facts = await lstat(path).catch(ignoreMissing);
  if (!facts) return 0;
  if (!facts.isDirectory()) return facts.mtimeMs;
  const inner = await Promise.all((await readdir(path)).map((name) => newestChange(join(path, name))));
  return Math.max(facts.mtimeMs, ...inner);
}

/** Returns the number of files at or below a path and their total bytes. Links are not followed. */
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
