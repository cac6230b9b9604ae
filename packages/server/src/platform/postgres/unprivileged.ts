import { chmod, cp, lstat, mkdir, readFile, rename, rm, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import type { PostgresBinaries } from './binaries.ts';

/** Account of the PostgreSQL process, which refuses to run as root. */
export interface Account {
  readonly uid: number;
  readonly gid: number;
  readonly name: string;
}

/** Folder for files that another account must access if the service's own folders are closed to it. */
export const openFolder = '/var/lib/stem-studio';

/** Creates a folder at or below {@link openFolder} that every account may traverse, regardless of the umask. */
export async function createOpenFolder(path: string): Promise<void> {
  const first = await mkdir(path, { recursive: true });
  if (first === undefined) return;
  for (let made = path; made.length >= first.length; made = dirname(made)) await chmod(made, 0o755);
}

/** Returns the account for the embedded PostgreSQL: null for the current one, else `postgres` or `nobody`. */
export async function unprivilegedAccount(uid = process.getuid?.() ?? 1): Promise<Account | null> {
  if (uid !== 0) return null;
  const lines = (await readFile('/etc/passwd', 'utf8')).split('\n').map((line) => line.split(':'));
  for (const name of ['postgres', 'nobody']) {
    const line = lines.find((fields) => fields[0] === name);
    if (line?.[2] && line[3]) return { uid: Number(line[2]), gid: Number(line[3]), name };
  }
  return { uid: 65_534, gid: 65_534, name: 'nobody' };
}

/**
 * Returns the first folder above `path` that the account may not traverse, or null. Missing folders are ignored: they
 * are created accessible to it.
 */
export async function firstClosedFolder(path: string, account: Account): Promise<string | null> {
  const above: string[] = [];
  for (let folder = dirname(path); ; folder = dirname(folder)) {
    above.unshift(folder);
    if (folder === dirname(folder)) break;
  }
  for (const folder of above) {
    const facts = await stat(folder).catch((error: NodeJS.ErrnoException) => {
      if (error.code === 'ENOENT') return null;
      throw error;
    });
    if (!facts) return null;
    const bits = facts.uid === account.uid ? 0o100 : facts.gid === account.gid ? 0o010 : 0o001;
    if ((facts.mode & bits) === 0) return folder;
  }
  return null;
}

/**
 * Returns binaries that the account can run. Binaries in a closed folder, such as the home of root, are copied to the
 * open folder.
 */
export async function reachableBinaries(
  binaries: PostgresBinaries,
  account: Account,
): Promise<PostgresBinaries> {
  if ((await firstClosedFolder(binaries.postgres, account)) === null) return binaries;
  const facts = await lstat(binaries.postgres);
  const copy = join(openFolder, `postgresql-${binaries.major}-${facts.size}`);
  const isCopied = await stat(copy).then(
    () => true,
    () => false,
  );
  if (!isCopied) {
    const temporaryFolder = `${copy}.${process.pid}`;
    await createOpenFolder(openFolder);
    await cp(binaries.folder, temporaryFolder, { recursive: true, verbatimSymlinks: true });
    await rename(temporaryFolder, copy).catch(() => rm(temporaryFolder, { recursive: true, force: true }));
  }
  const moved = (path: string) => path.replace(binaries.folder, copy);
  return {
    ...binaries,
    folder: copy,
    initdb: moved(binaries.initdb),
    postgres: moved(binaries.postgres),
    pgCtl: moved(binaries.pgCtl),
  };
}
