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

/**
 * Purpose of a lock: `use` by a service or command, `stop-database` while the database of a killed service is stopped.
 */
export type LockPurpose = 'use' | 'stop-database';

/** Description of the lock holder for error messages. The actual lock is a kernel lock. */
const lockNote = z.object({
  /** Undefined in notes of versions that used only this file as the lock. */
  version: z.literal(1).optional(),
  pid: z.number(),
  /** Start of the process in clock ticks since boot, which distinguishes it from a later process with the same id. */
  started: z.string().nullable(),
  host: z.string(),
  since: z.string().optional(),
  purpose: z.enum(['use', 'stop-database']).optional(),
});
type LockNote = z.infer<typeof lockNote>;

const busy = 5;
/** Maximum duration of a short lock, such as that of commands and `doctor`, in ms. */
const longestMomentMs = 1000;
/** Maximum time to stop the database of a killed service, in ms. */
const longestDatabaseStopMs = 45_000;

/** Thrown if another running process holds the lock of a directory. */
export class DirectoryLockedError extends Error {
  constructor(folder: string, note: LockNote | null) {
    super(
      `another studio (${describe(note)}) uses ${folder}: two services must not share a data directory. Stop it, or set DATA_DIR to another one`,
    );
    this.name = 'DirectoryLockedError';
  }
}

function describe(note: LockNote | null): string {
  if (note === null) return 'an unknown process';
  const where = note.host === hostname() ? '' : ` on ${note.host}, another container or machine`;
  return `process ${note.pid}${where}${note.since === undefined ? '' : `, since ${note.since}`}`;
}

/**
 * Open databases whose locks this process holds. Without a reference they would be garbage-collected and the locks
 * released.
 */
const held = new Set<DatabaseSync>();

const lockPath = (folder: string) => join(folder, 'lock.sqlite');
const notePath = (folder: string) => join(folder, 'lock');

/**
 * Acquires the lock on a folder for this process, and creates the folder if it is missing. Returns a function that
 * releases the lock. It is a kernel lock (fcntl, through SQLite, on `<folder>/lock.sqlite`): it works across containers
 * that share a volume, and ends with the process in any case. No other code in this process may open that file: closing
 * any of its descriptors would release the lock.
 *
 * @throws DirectoryLockedError if another process holds it
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

/** Returns a description of the process that holds the lock on a folder, or null. Creates nothing. */
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
    const temporaryPath = `${notePath(folder)}.${process.pid}`;
    await writeFile(temporaryPath, JSON.stringify(note), { mode: 0o600 });
    await rename(temporaryPath, notePath(folder));
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

/** Returns an open database that holds the lock, or null if this or another process holds it already. */
function tryLock(folder: string): DatabaseSync | null {
  const path = lockPath(folder);
  const umask = process.umask(0o077);
  let database: DatabaseSync | undefined;
  try {
    database = new DatabaseSync(path, { timeout: 0 });
    // Nothing is ever written, so no journal file of another account can be left beside the database.
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

/** Gives the lock file to the owner of the folder, who could not open a lock file of root. */
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

/** Returns whether the note was written by a living process of a version without kernel locks. */
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

/** Returns the start time of a process in clock ticks since boot, or null if unknown. */
async function processStart(pid: number): Promise<string | null> {
  const text = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null);
  // The process name in parentheses may contain blanks: field 22 is the 20th after it.
  return text?.slice(text.lastIndexOf(')') + 2).split(' ')[19] ?? null;
}
