import { link, mkdir, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { isAlive } from './is-alive.ts';

interface LockText {
  readonly pid: number;
  readonly started: string | null;
  readonly host: string;
}

/** A directory that another running service holds. */
export class DirectoryLockedError extends Error {
  constructor(folder: string, pid: number) {
    super(
      `another studio (process ${pid}) uses ${folder}: two services must not share a data directory. Stop it, or set DATA_DIR to another one`,
    );
    this.name = 'DirectoryLockedError';
  }
}

/** When a process began, as the kernel counts it: tells a process from a later one with the same number. */
async function processStart(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The name in parentheses may hold blanks: field 22 of all is the 20th behind it.
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}

async function holderOf(path: string): Promise<LockText | null> {
  const text = await readFile(path, 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    const lock = JSON.parse(text) as LockText;
    // In another container the number means nothing: only a process of this machine can be asked for.
    if (lock.host !== hostname() || lock.pid === process.pid || !isAlive(lock.pid)) return null;
    const started = await processStart(lock.pid);
    return started === null || lock.started === null || started === lock.started ? lock : null;
  } catch {
    return null;
  }
}

/**
 * Takes `<folder>/lock` for this process. Throws {@link DirectoryLockedError} when a living process holds it; what a
 * dead one has left is taken over. The answer gives it back.
 */
export async function lockDirectory(folder: string): Promise<() => Promise<void>> {
  await mkdir(folder, { recursive: true });
  const path = join(folder, 'lock');
  const mine: LockText = { pid: process.pid, started: await processStart(process.pid), host: hostname() };
  for (let tries = 0; tries < 5; tries++) {
    try {
      await writeFile(path, JSON.stringify(mine), { flag: 'wx', mode: 0o600 });
      return () => rm(path, { force: true });
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
    const holder = await holderOf(path);
    if (holder) throw new DirectoryLockedError(folder, holder.pid);
    await removeStale(path, folder);
  }
  throw new DirectoryLockedError(folder, 0);
}

/** Takes away what a dead process left. It is looked at once more after that: another may have been as quick. */
async function removeStale(path: string, folder: string): Promise<void> {
  const taken = `${path}.${process.pid}`;
  const isTaken = await rename(path, taken).then(
    () => true,
    () => false,
  );
  if (!isTaken) return;
  const holder = await holderOf(taken);
  if (holder) await link(taken, path).catch(() => undefined);
  await rm(taken, { force: true });
  if (holder) throw new DirectoryLockedError(folder, holder.pid);
}
