import { createHash } from 'node:crypto';
import { lstat, readdir, readlink, realpath, stat, symlink } from 'node:fs/promises';
import { join } from 'node:path';
import type { Logger } from 'pino';
import { NoPostgresError } from './binaries.ts';
import { type Account, firstClosedFolder, openFolder } from './unprivileged.ts';

/** Where the files of our own PostgreSQL lie, or will lie. */
export interface ClusterFolder {
  /** Absolute path, links resolved where it exists. */
  readonly folder: string;
  /** The link in the data directory that has to be made once the folder exists; null where none is needed. */
  readonly link: string | null;
}

/**
 * Finds the folder of the database: `wanted` (`<dataDir>/postgres`) or the target of a link there; for a new database a
 * folder below {@link openFolder} when the account cannot reach `wanted`. Creates nothing.
 *
 * @throws NoPostgresError when `wanted` is a link whose target does not exist
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

/** Makes the link in the data directory to a database that lies elsewhere, and logs where. */
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
 * Whether the folder holds a database: its major version, or null where the folder is missing or empty.
 *
 * @throws NoPostgresError when it holds something else, such as a part of a database
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
