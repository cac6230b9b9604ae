import { createHash } from 'node:crypto';
import { createReadStream, readFileSync, readlinkSync, realpathSync } from 'node:fs';
import { type FileHandle, lstat, mkdir, open, readdir, rename, rm, rmdir, stat } from 'node:fs/promises';
import { hostname } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { systemClock } from '../clock.ts';
import { newId } from '../ids.ts';
import { isAlive } from '../process/is-alive.ts';
import { fileMode, folderMode } from './data-folder.ts';
import type { ByteRange, Files, StagingFile, StagingFolder } from './files.ts';
import { ignoreMissing, newestChange, syncFolder } from './folder-walk.ts';
import { createQuarantine, quarantineName } from './quarantine.ts';
import { markerName } from './storage-marker.ts';

/** Name of the staging folder. It is on the same file system as the stored files, so that a rename suffices. */
export const stagingName = '.staging';

/** Name of the staging folder in earlier versions. What they left in it is removed by sweeps. */
export const formerStagingName = '.aside';

/** Names that are reserved for the service. No stored path may begin with one. */
const reservedNames = new Set([stagingName, formerStagingName, quarantineName, markerName]);

/**
 * Identifies the process id namespace of this machine. Two containers may have the same host name but separate process
 * ids.
 */
const machine = createHash('sha256').update(processSpace()).digest('hex').slice(0, 12);

function processSpace(): string {
  try {
    const boot = readFileSync('/proc/sys/kernel/random/boot_id', 'utf8');
    return `${hostname()} ${boot} ${readlinkSync('/proc/self/ns/pid')}`;
  } catch {
    return hostname();
  }
}

/** Returns a unique staging name that contains the machine and the process id of its writer. */
function newStagingName(): string {
  return `${machine}.${process.pid}.${newId()}`;
}

/**
 * Returns whether a staging name belongs to a dead process of this machine. Processes of other machines cannot be
 * checked.
 */
export function isOfDeadProcess(name: string): boolean {
  const [host, pid] = name.split('.');
  return host === machine && !isAlive(Number(pid));
}

/**
 * Checks a relative path and returns it. Names have 1 to 255 bytes with `/` between them. No `.` or `..`, absolute
 * path, backslash or NUL is allowed, nor a name that is reserved for the service (staging folder, quarantine, marker).
 * @throws an error that states the rule
 */
export function checkRelativePath(path: string): string {
  const names = path.split('/');
  const isFine = names.every(
    (name) =>
      name !== '' && name !== '.' && name !== '..' && !/[\\\0]/.test(name) && Buffer.byteLength(name) <= 255,
  );
  if (!isFine || reservedNames.has(names[0]?.toLowerCase() ?? '') || /^[A-Za-z]:/.test(path))
    throw new Error(
      `a stored path must be relative, with "/" between names and without ".." (got ${JSON.stringify(path)})`,
    );
  return path;
}

/** Creates file storage in a local folder. The folder is created if it is missing. */
export async function createLocalFiles(folder: string): Promise<Files> {
  await mkdir(join(folder, stagingName), { recursive: true, mode: folderMode });
  const root = realpathSync(folder);
  const stagingRoot = join(root, stagingName);
  const absolute = (path: string) => join(root, checkRelativePath(path));

  // A link inside the folder may not lead out of it.
  const checked = (path: string) => {
    const wanted = absolute(path);
    try {
      const real = realpathSync(wanted);
      if (real !== root && !real.startsWith(root + sep))
        throw new Error(`a stored path must not lead outside through a link (got ${JSON.stringify(path)})`);
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
    }
    return wanted;
  };

  const moveInto = async (from: string, path: string) => {
    const to = checked(path);
    await settleFile(from);
    await mkdir(dirname(to), { recursive: true, mode: folderMode });
    await rename(from, to);
    await syncFolder(dirname(to));
    return { bytes: (await stat(to)).size };
  };

  return {
    absolute,
    quarantine: createQuarantine(root, checked),
    writeAtomically: async (path, write) => {
      checked(path);
      const stagingPath = join(stagingRoot, newStagingName());
      const handle = await open(stagingPath, 'wx', fileMode);
      try {
        await write(stagingFile(handle));
        await handle.close();
        return await moveInto(stagingPath, path);
      } catch (error) {
        await handle.close().catch(() => undefined);
        await rm(stagingPath, { force: true });
        throw error;
      }
    },
    createStagingFolder: async () => {
      const path = join(stagingRoot, newStagingName());
      await mkdir(path, { mode: folderMode });
      return stagingFolder(path, moveInto);
    },
    read: (path, range) => piecesOf(checked(path), range),
    stat: async (path) => {
      const facts = await stat(checked(path)).catch(ignoreMissing);
      return facts?.isFile() ? { bytes: facts.size, modified: facts.mtime } : null;
    },
    remove: async (path) => rm(checked(path), { force: true }),
    removeFolder: async (path) => rm(checked(path), { recursive: true, force: true }),
    listFolders: async (path) => {
      const folder = checked(path);
      const entries = (await readdir(folder, { withFileTypes: true }).catch(ignoreMissing)) ?? [];
      const folders = entries.filter((entry) => entry.isDirectory() && !reservedNames.has(entry.name));
      const facts = folders.map(async ({ name }) => {
        const found = await stat(join(folder, name)).catch(ignoreMissing);
        return found ? [{ name, modified: found.mtime }] : [];
      });
      return (await Promise.all(facts)).flat();
    },
    listFiles: async (path) => {
      const entries = (await readdir(checked(path), { withFileTypes: true }).catch(ignoreMissing)) ?? [];
      return entries.filter((entry) => entry.isFile()).map(({ name }) => name);
    },
    sweep: async (olderThanSeconds) => {
      const before = systemClock.now().getTime() - olderThanSeconds * 1000;
      let removed = 0;
      const listed = [stagingName, formerStagingName].map(async (parent) => {
        const names = (await readdir(join(root, parent)).catch(ignoreMissing)) ?? [];
        return names.map((name) => ({ name, path: join(root, parent, name) }));
      });
      for (const { name, path } of (await Promise.all(listed)).flat()) {
        const facts = await lstat(path).catch(ignoreMissing);
        if (!facts) continue;
        if (!isOfDeadProcess(name) && (await newestChange(path)) > before) continue;
        await rm(path, { recursive: true, force: true });
        removed += 1;
      }
      // Fails while the folder has entries.
      await rmdir(join(root, formerStagingName)).catch(() => undefined);
      return removed;
    },
  };
}

/**
 * Reads a file in chunks. The file is opened only when the first chunk is read, so a reader that disconnects before
 * leaves no open handle.
 */
async function* piecesOf(path: string, range?: ByteRange): AsyncGenerator<Uint8Array> {
  yield* createReadStream(path, range) as AsyncIterable<Uint8Array>;
}

function stagingFile(handle: FileHandle): StagingFile {
  let length = 0;
  return {
    append: async (bytes) => {
      await writeFully(handle, bytes, length);
      length += bytes.length;
    },
    patch: async (offset, bytes) => {
      if (offset < 0 || offset + bytes.length > length)
        throw new RangeError(
          `a patch must lie within the ${length} bytes written (got ${offset} + ${bytes.length})`,
        );
      await writeFully(handle, bytes, offset);
    },
  };
}

async function writeFully(handle: FileHandle, bytes: Uint8Array, position: number): Promise<void> {
  for (let done = 0; done < bytes.length; ) {
    const { bytesWritten } = await handle.write(bytes, done, bytes.length - done, position + done);
    done += bytesWritten;
  }
}

function stagingFolder(
  path: string,
  moveInto: (from: string, to: string) => Promise<{ bytes: number }>,
): StagingFolder {
  return {
    path,
    publish: (name, relativePath) => moveInto(join(path, checkRelativePath(name)), relativePath),
    publishFolder: async (relativePath) => {
      const entries = await readdir(path, { withFileTypes: true });
      const names = entries.filter((entry) => entry.isFile()).map((entry) => entry.name);
      for (const name of names) await moveInto(join(path, name), `${relativePath}/${name}`);
      return names.map((name) => `${relativePath}/${name}`);
    },
    remove: () => rm(path, { recursive: true, force: true }),
  };
}

/**
 * Restricts the mode of a file to the service's account and group, and syncs it to disk. External programs may have
 * created it with another mode.
 */
async function settleFile(path: string): Promise<void> {
  const handle = await open(path, 'r+');
  try {
    await handle.chmod(fileMode);
    await handle.sync();
  } finally {
    await handle.close();
  }
}
