import { randomBytes } from 'node:crypto';
import { mkdir, open, readdir, readFile, rename, rm, stat, utimes } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { z } from 'zod';
import { folderMode } from './data-folder.ts';
import { ignoreMissing, syncFolder, weigh } from './folder-walk.ts';

/** Name of the quarantine folder. It is on the same file system as the stored files, so that a rename suffices. */
export const quarantineName = '.quarantine';

const manifestName = 'manifest.json';
const contentName = 'content';

const manifest = z.object({
  version: z.literal(1),
  /** Original path, relative to the folder of stored files. */
  path: z.string(),
  moved_at: z.iso.datetime(),
  reason: z.string(),
  files: z.number(),
  bytes: z.number(),
});

/** Folder in the quarantine. */
export interface QuarantinedFolder {
  /** Name of its entry, `<date>-<name>`. */
  readonly entry: string;
  /** Original path, relative to the folder of stored files; null if the manifest cannot be read. */
  readonly path: string | null;
  readonly movedAt: Date;
  readonly reason: string;
  readonly files: number;
  readonly bytes: number;
}

/** Result of restoring a quarantined folder. */
export type RestoreOutcome = 'restored' | 'path taken' | 'missing';

/**
 * Quarantine of stored folders that no database record references. They are kept for a while instead of being deleted.
 */
export interface Quarantine {
  /** Moves a folder into the quarantine atomically. Returns null if the folder is missing. */
  add(path: string, reason: string, now: Date): Promise<QuarantinedFolder | null>;
  /** Returns all entries, oldest first. */
  list(): Promise<QuarantinedFolder[]>;
  /** Moves a folder back to its original path, unless that path exists now. */
  restore(entry: string, now: Date): Promise<RestoreOutcome>;
  /** Deletes a folder permanently. */
  purge(entry: string): Promise<void>;
}

/**
 * Creates the quarantine of a folder of stored files. Each entry is `.quarantine/<date>-<name>/` with the moved folder
 * as `content` and a `manifest.json` with the original path, the time and the reason.
 *
 * @param absolute checks a stored path and returns its absolute path
 */
export function createQuarantine(root: string, absolute: (path: string) => string): Quarantine {
  const quarantine = join(root, quarantineName);
  const folderOf = (entry: string) => {
    if (entry === '' || entry !== basename(entry) || entry.startsWith('.'))
      throw new Error(`an entry of the quarantine must be a plain name (got ${JSON.stringify(entry)})`);
    return join(quarantine, entry);
  };
  const read = async (entry: string): Promise<QuarantinedFolder | null> => {
    const facts = await stat(join(folderOf(entry), contentName)).catch(ignoreMissing);
    // The move was interrupted before the rename: the folder is still at its original path.
    if (!facts) return null;
    try {
      const text = await readFile(join(folderOf(entry), manifestName), 'utf8');
      const { moved_at, version: _version, ...rest } = manifest.parse(JSON.parse(text));
      return { entry, ...rest, movedAt: new Date(moved_at) };
    } catch {
      const weight = await weigh(join(folderOf(entry), contentName));
      const movedAt = (await stat(folderOf(entry))).mtime;
      return { entry, path: null, movedAt, reason: `its ${manifestName} cannot be read`, ...weight };
    }
  };
  return {
    async add(path, reason, now) {
      const from = absolute(path);
      if (!(await stat(from).catch(ignoreMissing))) return null;
      const weight = await weigh(from);
      await mkdir(quarantine, { recursive: true, mode: folderMode });
      const entry = await createEntry(quarantine, `${now.toISOString().slice(0, 10)}-${basename(path)}`);
      const facts = { version: 1, path, moved_at: now.toISOString(), reason, ...weight };
      await writeWhole(join(folderOf(entry), manifestName), `${JSON.stringify(facts, null, 2)}\n`);
      await syncFolder(folderOf(entry));
      try {
        await rename(from, join(folderOf(entry), contentName));
      } catch (error) {
        await rm(folderOf(entry), { recursive: true, force: true });
        // Another process has moved the folder first.
        return ignoreMissing(error);
      }
      await syncFolder(folderOf(entry));
      await syncFolder(dirname(from));
      return { entry, path, movedAt: now, reason, ...weight };
    },
    async list() {
      const names = ((await readdir(quarantine).catch(ignoreMissing)) ?? []).filter(
        (name) => !name.startsWith('.'),
      );
      const all = await Promise.all(names.map(read));
      return all
        .filter((one) => one !== null)
        .sort((a, b) => a.movedAt.getTime() - b.movedAt.getTime() || (a.entry < b.entry ? -1 : 1));
    },
    async restore(entry, now) {
      const found = await read(entry);
      if (!found || found.path === null) return 'missing';
      const to = absolute(found.path);
      if (await stat(to).catch(ignoreMissing)) return 'path taken';
      const content = join(folderOf(entry), contentName);
      // The new modification time keeps the folder out of a sweep until the database had time to reference it.
      await utimes(content, now, now);
      await mkdir(dirname(to), { recursive: true, mode: folderMode });
      await rename(content, to);
      await syncFolder(dirname(to));
      await rm(folderOf(entry), { recursive: true, force: true });
      return 'restored';
    },
    purge: (entry) => rm(folderOf(entry), { recursive: true, force: true }),
  };
}

/** Returns a read-only view of the quarantine of a folder of stored files. Creates nothing. */
export function readQuarantine(root: string): Pick<Quarantine, 'list'> {
  return createQuarantine(root, (path) => join(root, path));
}

/** Creates a folder with a name that is not used yet. */
async function createEntry(quarantine: string, name: string): Promise<string> {
  for (let entry = name; ; entry = `${name}-${randomBytes(3).toString('hex')}`) {
    try {
      await mkdir(join(quarantine, entry), { mode: folderMode });
      return entry;
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') throw error;
    }
  }
}

async function writeWhole(path: string, text: string): Promise<void> {
  const handle = await open(path, 'wx', 0o600);
  try {
    await handle.writeFile(text);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
