import { chownSync, statSync } from 'node:fs';
import { readFile, rename, rm, stat, writeFile } from 'node:fs/promises';
import { hostname } from 'node:os';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { z } from 'zod';
import { pause, systemClock } from '../clock.ts';
import { messageOf } from '../errors.ts';
import { createDataFolder } from '../files/data-folder.ts';
import { isAlive } from './is-alive.ts';

/** Why a process holds the lock: a service or command uses the data, or the database of a killed service is stopped. */
export type LockPurpose = 'use' | 'stop-database';

/** What the holder of a lock has written about itself, for people; the lock itself is the kernel's. */
const lockNote = z.object({
  /** Missing in notes of versions that locked by this file alone. */
  version: z.literal(1).optional(),
  pid: z.number(),
  /** Start of the process in clock ticks since boot, which tells it from a later one with the same number. */
  started: z.string().nullable(),
  host: z.string(),
  since: z.string().optional(),
  purpose: z.enum(['use', 'stop-database']).optional(),
});
type LockNote = z.infer<typeof lockNote>;

const busy = 5;
/** Commands and `doctor` hold the lock for moments. */
const longestMomentMs = 1000;
/** Stopping the database of a killed service takes this long at most. */
const longestDatabaseStopMs = 45_000;

/** A directory that another running process holds. */
export class DirectoryLockedError extends Error {
  constructor(folder: string, note: LockNote | null) {
    super(
      `another studio (${describe(note)}) uses ${folder}: two services must not share a data directory. Stop it, or set DATA_DIR to another one`,
    );
    this.name = 'DirectoryLockedError';
  }
}

function describe(note: LockNote | null): string {
  if (note === null) return 'a process that has not said which';
  const where = note.host === hostname() ? '' : ` on ${note.host}, another container or machine`;
  return `process ${note.pid}${where}${note.since === undefined ? '' : `, since ${note.since}`}`;
}

/** Open databases whose lock this process holds. Without a reference they would be collected, and the lock with them. */
const held = new Set<DatabaseSync>();

const lockPath = (folder: string) => join(folder, 'lock.sqlite');
const notePath = (folder: string) => join(folder, 'lock');

/**
 * Takes the lock on a folder for this process, and creates the folder where it is missing. It is a lock of the kernel
 * (fcntl, by SQLite, on `<folder>/lock.sqlite`): it holds across containers that share a volume, and ends with the
 * process, however that ends. No other code may open that file in the process that holds it: closing any descriptor of
 * it would release the lock. Answers the function that releases it.
 *
 * @throws DirectoryLockedError when another process holds it
 */
export async function lockDirectory(
  folder: string,
  purpose: LockPurpose = 'use',
): Promise<() => Promise<void>> {
  await createDataFolder(folder);
  const startedMs = systemClock.monotonicMs();
  for (;;) {
    const database = tryLock(folder);
    if (database) return keep(database, folder, purpose);
    const note = await readNote(folder);
    const longestMs = note?.purpose === 'stop-database' ? longestDatabaseStopMs : longestMomentMs;
    if (systemClock.monotonicMs() - startedMs > longestMs) throw new DirectoryLockedError(folder, note);
    await pause(50);
  }
}

/** Whether a process holds the lock on a folder now, and who; creates nothing. */
export async function findLockHolder(folder: string): Promise<string | null> {
  const isThere = await stat(lockPath(folder)).then(
    () => true,
    () => false,
  );
  if (isThere) {
    const database = tryLock(folder);
    if (!database) return describe(await readNote(folder));
    database.close();
  }
  const note = await readNote(folder);
  return note && (await isOldHolder(note)) ? describe(note) : null;
}

async function keep(
  database: DatabaseSync,
  folder: string,
  purpose: LockPurpose,
): Promise<() => Promise<void>> {
  try {
    const before = await readNote(folder);
    if (before && (await isOldHolder(before))) throw new DirectoryLockedError(folder, before);
    const note: LockNote = {
      version: 1,
      pid: process.pid,
      started: await processStart(process.pid),
      host: hostname(),
      since: systemClock.now().toISOString(),
      purpose,
    };
    const aside = `${notePath(folder)}.${process.pid}`;
    await writeFile(aside, JSON.stringify(note), { mode: 0o600 });
    await rename(aside, notePath(folder));
  } catch (error) {
    database.close();
    throw error;
  }
  held.add(database);
  return async () => {
    if (!held.delete(database)) return;
    await rm(notePath(folder), { force: true });
    database.close();
  };
}

/** An open database that has the lock, or null where another process (or this one) has it. */
function tryLock(folder: string): DatabaseSync | null {
  const path = lockPath(folder);
  const umask = process.umask(0o077);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    // Nothing is ever written: no journal of another account's must lie beside it.
    database.exec('pragma locking_mode = exclusive; pragma journal_mode = memory; begin exclusive');
    giveToOwner(path, folder);
    return database;
  } catch (error) {
    database?.close();
    if ((error as { errcode?: unknown }).errcode === busy) return null;
    throw new Error(
      `${path} cannot be locked (${messageOf(error)}): the file system must support locks, and this account must be able to write there`,
      { cause: error },
    );
  } finally {
    process.umask(umask);
  }
}

/** A command of root must not leave a lock that the folder's owner cannot open. */
function giveToOwner(path: string, folder: string): void {
  if (process.getuid?.() !== 0) return;
  const { uid, gid } = statSync(folder);
  if (statSync(path).uid !== uid) chownSync(path, uid, gid);
}

async function readNote(folder: string): Promise<LockNote | null> {
  const text = await readFile(notePath(folder), 'utf8').catch(() => null);
  if (text === null) return null;
  try {
    return lockNote.parse(JSON.parse(text));
  } catch {
    return null;
  }
}

/** Whether a living process of a version that knew no kernel lock wrote the note. */
async function isOldHolder(note: LockNote): Promise<boolean> {
  if (
    note.version !== undefined ||
    note.host !== hostname() ||
    note.pid === process.pid ||
    !isAlive(note.pid)
  )
    return false;
  const started = await processStart(note.pid);
  return started === null || note.started === null || started === note.started;
}

/** When a process began, as the kernel counts it; null where the kernel does not tell. */
async function processStart(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The name in parentheses may hold blanks: field 22 of all is the 20th behind it.
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
