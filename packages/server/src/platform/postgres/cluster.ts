import { execFile } from 'node:child_process';
import { createHash } from 'node:crypto';
import {
  chmod,
  chown,
  mkdir,
  readFile,
  realpath,
  rename,
  rm,
  rmdir,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { dirname, join } from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import { childEnvironment } from '../config.ts';
import type { Connection } from '../db/connection.ts';
import { createDataFolder } from '../files/data-folder.ts';
import { findBinaries, installCommandOf, NoPostgresError, type PostgresBinaries } from './binaries.ts';
import { clusterVersion, findClusterFolder, linkFolder } from './cluster-folder.ts';
import { newPassword, readAccess, writeAccess, writeLoginRules } from './cluster-password.ts';
import { type Account, createOpenFolder, reachableBinaries, unprivilegedAccount } from './unprivileged.ts';

const run = promisify(execFile);

/** Transport to the embedded PostgreSQL: a socket file that only its account can access, or a loopback port. */
export type Transport = 'socket' | 'tcp';

/** Default transport of this platform. */
export const usualTransport: Transport = process.platform === 'win32' ? 'tcp' : 'socket';

/** Embedded PostgreSQL database cluster on disk, ready to start. */
export interface Cluster {
  readonly binaries: PostgresBinaries;
  readonly account: Account | null;
  /** Absolute path of the database files, with links resolved. */
  readonly folder: string;
  readonly connection: Connection;
  readonly transport: Transport;
}

/** Options of `prepareCluster`. */
export interface ClusterOptions {
  /** Data directory. The database is in its folder `postgres`, or in the target of a link of that name. */
  readonly dataDir: string;
  readonly log: Logger;
  readonly transport?: Transport;
  /** Programs of another PostgreSQL version, to read an older database. */
  readonly binaries?: PostgresBinaries;
  /** Called before a database is created. Throws if one should exist already. */
  readonly beforeCreate?: () => Promise<void>;
}

const superuser = 'stem_studio';
/**
 * Maximum length of a socket path for `sockaddr_un`: 108 bytes on Linux, 104 on macOS, including the terminating byte.
 */
const longestSocketPath = 103;
const socketName = '/.s.PGSQL.5432';

/**
 * Prepares the cluster in `<dataDir>/postgres`. Creates it (in a staging folder that is renamed, so that an interrupted
 * start leaves nothing incomplete), or checks its version. The caller holds the lock on the data directory.
 */
export async function prepareCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, log, transport = usualTransport } = options;
  const account = await unprivilegedAccount();
  const found = options.binaries ?? (await findBinaries());
  const binaries = account ? await reachableBinaries(found, account) : found;
  await createDataFolder(dataDir);
  const location = await findClusterFolder(join(dataDir, 'postgres'), account);
  const version = await clusterVersion(location.folder, readText);
  if (version === null) {
    await options.beforeCreate?.();
    // All accounts may traverse the parent; the database folder itself is closed.
    if (location.link !== null) await createOpenFolder(dirname(location.folder));
    await create(location.folder, binaries, account, transport);
  } else requireMajor(version, location.folder, binaries);
  await linkFolder(location, account, log);
  const { folder } = location;
  return { binaries, account, folder, transport, connection: await connectionTo(folder, transport) };
}

/**
 * Returns the cluster of a data directory whose lock another process holds. Changes nothing.
 *
 * @throws NoPostgresError if there is none
 */
export async function findCluster(dataDir: string): Promise<Cluster> {
  const account = await unprivilegedAccount();
  const binaries = await findBinaries();
  const { folder } = await findClusterFolder(join(dataDir, 'postgres'), account);
  const version = await clusterVersion(folder, readText);
  if (version === null)
    throw new NoPostgresError(`there is no database in ${folder} yet: start the service first`, null);
  requireMajor(version, folder, binaries);
  const transport = usualTransport;
  return { binaries, account, folder, transport, connection: await connectionTo(folder, transport) };
}

/**
 * Returns the existing or future database folder of a data directory.
 *
 * @throws NoPostgresError if it is a link without a target
 */
export async function findDatabaseFolder(dataDir: string): Promise<string> {
  return (await findClusterFolder(join(dataDir, 'postgres'), await unprivilegedAccount())).folder;
}

const readText = (path: string) => readFile(path, 'utf8');

function requireMajor(version: string, folder: string, binaries: PostgresBinaries): void {
  const found = Number.parseInt(version, 10);
  if (found !== binaries.major) throw new NoPostgresError(...otherVersion(folder, found, binaries.major));
}

/** Returns the reason why a database of another major version is not opened, and advice. */
function otherVersion(folder: string, found: number, ours: number): [reason: string, advice: string] {
  const reason = `the database in ${folder} was made by PostgreSQL ${found}, and this studio includes ${ours}`;
  if (found > ours) return [reason, 'Use the version of the studio that made it, or a newer one'];
  const install = installCommandOf(found);
  const commands = [...(install === null ? [] : [install]), 'npm run studio -- upgrade-database'];
  return [
    reason,
    `Nothing was changed. Upgrade it to ${ours} with:\n${commands.map((line) => `  ${line}`).join('\n')}`,
  ];
}

async function create(
  folder: string,
  binaries: PostgresBinaries,
  account: Account | null,
  transport: Transport,
): Promise<void> {
  const temporaryFolder = `${folder}.new`;
  await rm(temporaryFolder, { recursive: true, force: true });
  await mkdir(temporaryFolder, { mode: 0o700 });
  const password = newPassword();
  const passwordFile = `${temporaryFolder}.password`;
  await writeFile(passwordFile, password, { mode: 0o600 });
  if (account) {
    await chown(temporaryFolder, account.uid, account.gid);
    await chown(passwordFile, account.uid, account.gid);
  }
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const auth = ['--auth=scram-sha-256', `--pwfile=${passwordFile}`];
  try {
    await run(binaries.initdb, ['-D', temporaryFolder, '-U', superuser, ...locale, ...auth], {
      cwd: '/',
      env: childEnvironment({ LC_ALL: 'C' }),
      ...(account && { uid: account.uid, gid: account.gid }),
    });
    await writeLoginRules(temporaryFolder, account);
    const port = transport === 'tcp' ? { port: await freePort() } : {};
    await writeAccess(temporaryFolder, { password, ...port }, account);
  } catch (error) {
    await rm(temporaryFolder, { recursive: true, force: true });
    const stderr = (error as { stderr?: string }).stderr?.trim();
    throw new NoPostgresError(
      `the database could not be created in ${folder}: ${stderr || (error as Error).message}`,
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
  await chmod(temporaryFolder, 0o700);
  // An empty folder is removed. A folder with content was rejected before, and makes the rename fail too.
  await rmdir(folder).catch(() => undefined);
  await rename(temporaryFolder, folder);
}

/** Returns the connection to the database in a folder, with its password if it requires one. */
export async function connectionTo(folder: string, transport: Transport): Promise<Connection> {
  const access = await readAccess(folder);
  const common = { user: superuser, database: superuser, ...(access && { password: access.password }) };
  if (transport === 'tcp') return { ...common, host: '127.0.0.1', port: access?.port };
  return { ...common, host: await socketFolder(folder), port: 5432 };
}

/**
 * Returns the folder of the socket. This is the cluster's own folder, which is closed to other accounts, or a short
 * link to it if its path is too long for a socket.
 */
async function socketFolder(folder: string): Promise<string> {
  if (Buffer.byteLength(folder + socketName) <= longestSocketPath) return folder;
  const short = `/tmp/stem-studio-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
  await symlink(folder, short).catch(() => undefined);
  // A link that another user created under this name would lead to another server.
  if ((await realpath(short)) !== (await realpath(folder)))
    throw new NoPostgresError(
      `the path ${folder} is too long for a socket (at most ${longestSocketPath - socketName.length} bytes), and ${short} is taken`,
    );
  return short;
}

async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve, reject) => {
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => resolve());
  });
  const address = server.address();
  await new Promise((resolve) => server.close(resolve));
  if (address === null || typeof address === 'string') throw new Error('no free port');
  return address.port;
}
