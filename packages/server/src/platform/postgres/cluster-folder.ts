import { createHash } from 'node:crypto';
import { lstat, readdir, readlink, realpath, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { NoPostgresError } from './binaries.ts';
import { type Account, firstClosedFolder, openFolder } from './unprivileged.ts';

/** Location of the embedded PostgreSQL's files, existing or planned. */
export interface ClusterFolder {
  /** Absolute path, with links resolved if it exists. */
  readonly folder: string;
  /** Link in the data directory to create once the folder exists; null if none is needed. */
  readonly link: string | null;
}

/**
 * Finds the folder of the database: `wanted` (`<dataDir>/postgres`), or the target if it is a link. For a new database
 * that the account cannot reach at `wanted`, returns a folder below {@link openFolder}. Creates nothing.
 *
 * @throws NoPostgresError if `wanted` is a link whose target does not exist
 */
export async function findClusterFolder(wanted: string, account: Account | null): Promise<ClusterFolder> {
  const existing = await lstat(wanted).catch(ignoreMissing);
  if (existing?.isSymbolicLink()) {
    if (await stat(wanted).catch(ignoreMissing)) return { folder: await realpath(wanted), link: null };
    throw new NoPostgresError(
      `${wanted} is a link to ${await readlink(wanted)}, where no database exists: it is on a disk that is not mounted, or was not part of the backup that was restored. Nothing was changed. Restore that folder from its backup and start again; only to begin with an empty database, delete the link`,
      null,
    );
  }
  const closed = account && !existing ? await firstClosedFolder(wanted, account) : null;
  if (closed === null) return { folder: wanted, link: null };
  const name = `data-${createHash('sha256').update(wanted).digest('hex').slice(0, 16)}`;
  return { folder: join(openFolder, name, 'postgres'), link: wanted };
}

/** Creates the link in the data directory to a database in another folder, and logs its location. */
export async function linkFolder(
  { folder, link }: ClusterFolder,
  account: Account | null,
  log: Logger,
): Promise<void> {
  if (link === null) return;
  await symlink(folder, link);
  log.warn(
    { wanted: link, elsewhere: folder },
    `PostgreSQL runs as ${account?.name} and cannot reach ${link}: the database is in ${folder}. A backup of the data directory contains only a link to it`,
  );
}

/**
 * Returns the major version of the database in a folder, or null if the folder is missing or empty.
 *
 * @throws NoPostgresError if it contains anything else, such as a part of a database
 */
export async function clusterVersion(
  folder: string,
  read: (path: string) => Promise<string>,
): Promise<string | null> {
  const version = await read(join(folder, 'PG_VERSION')).catch(ignoreMissing);
  if (version !== null) return version.trim();
  const names = (await readdir(folder).catch(ignoreMissing)) ?? [];
  if (names.length === 0) return null;
  throw new NoPostgresError(
    `${folder} is not empty (${names.slice(0, 3).join(', ')}, …) but holds no complete database: PG_VERSION is missing. Nothing was changed. Restore that folder from its backup, or move it away`,
    null,
  );
}

function ignoreMissing(error: unknown): null {
  const { code } = error as NodeJS.ErrnoException;
  if (code === 'ENOENT' || code === 'ENOTDIR') return null;
  throw error;
}
