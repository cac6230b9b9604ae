import { execFile } from 'node:child_process';
import { access, constants, stat, statfs } from 'node:fs/promises';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join, sep } from 'node:path';
import { promisify } from 'node:util';
import { Client } from 'pg';
import { type Config, childEnvironment } from '../platform/config.ts';
import { type Connection, clientConfig } from '../platform/db/connection.ts';
import { messageOf } from '../platform/errors.ts';
import { findBinaries, NoPostgresError } from '../platform/postgres/binaries.ts';
import { findCluster, findDatabaseFolder } from '../platform/postgres/cluster.ts';

/** Result of one check. A `note` is not an error, but a feature may be missing. */
export interface Finding {
  readonly state: 'good' | 'note' | 'bad';
  readonly says: string;
}

const good = (says: string): Finding => ({ state: 'good', says });
const note = (says: string): Finding => ({ state: 'note', says });
const bad = (says: string): Finding => ({ state: 'bad', says });

const longestProgramMs = 10_000;
const gib = 2 ** 30;
/** Free disk space in GiB below which one or two songs fill the disk. */
const fewGib = 2;

/** Returns the nearest existing folder at or above a path. */
async function existing(path: string): Promise<string> {
  const isThere = await access(path).then(
    () => true,
    () => false,
  );
  return isThere || dirname(path) === path ? path : existing(dirname(path));
}

/** Checks whether a folder exists or can be created, and how much free space it has. */
export async function checkFolder(path: string): Promise<Finding> {
  const folder = await existing(path);
  const isWritable = await access(folder, constants.W_OK).then(
    () => true,
    () => false,
  );
  if (!isWritable) return bad(`${path} cannot be written to`);
  const { bavail, bsize } = await statfs(folder);
  const freeGib = (bavail * bsize) / gib;
  const summary = `${path}${folder === path ? '' : ' (created at the first start)'}, ${freeGib.toFixed(1)} GiB free`;
  return freeGib < fewGib ? bad(`${summary}: free some, or set DATA_DIR to another disk`) : good(summary);
}

/** Checks the folder of an optional setting. */
export async function checkOptionalFolder(path: string | null, absent: string): Promise<Finding> {
  if (path === null) return note(absent);
  const facts = await stat(path).catch(() => null);
  return facts?.isDirectory() ? good(path) : bad(`${path} is no folder`);
}

/** Returns the first line of a program's version output. */
export async function checkProgram(
  command: string,
  args: readonly string[],
  without: string,
): Promise<Finding> {
  try {
    const { stdout } = await promisify(execFile)(command, [...args], {
      cwd: tmpdir(),
      env: childEnvironment(),
      timeout: longestProgramMs,
    });
    return good(stdout.split('\n')[0]?.trim() ?? command);
  } catch {
    return note(`there is no ${command} that runs: ${without}`);
  }
}

async function askVersion(connection: Connection): Promise<string> {
  const client = new Client(clientConfig(connection, 5000));
  // A broken connection emits its error twice; the rejected promise is enough.
  client.on('error', () => undefined);
  try {
    await client.connect();
    const { rows } = await client.query<{ server_version: string }>('show server_version');
    return rows[0]?.server_version ?? 'unknown';
  } finally {
    await client.end().catch(() => undefined);
  }
}

/**
 * Checks whether the database responds, and reports the folder of the built-in one. Does not start the database and
 * never prints its address.
 */
export async function checkDatabase(config: Config, isRunning: boolean): Promise<Finding> {
  try {
    if (config.databaseUrl !== null)
      return good(`PostgreSQL ${await askVersion({ connectionString: config.databaseUrl })} of DATABASE_URL`);
    const folder = await findDatabaseFolder(config.dataDir);
    const location = `${folder}${folder.startsWith(config.dataDir + sep) ? '' : ' (outside of DATA_DIR: back it up as well)'}`;
    if (!isRunning) {
      const { major } = await findBinaries();
      return good(`bundled PostgreSQL ${major} in ${location}, started with the service`);
    }
    const { connection } = await findCluster(config.dataDir);
    return good(`bundled PostgreSQL ${await askVersion(connection)} in ${location}, running`);
  } catch (error) {
    if (error instanceof NoPostgresError) return bad(error.message);
    const { code } = error as { code?: unknown };
    const why =
      typeof code === 'string' ? code : config.databaseUrl === null ? messageOf(error) : 'no answer';
    const whose = config.databaseUrl === null ? 'our own' : 'DATABASE_URL';
    return bad(`the PostgreSQL of ${whose} cannot be reached (${why})`);
  }
}

/** Checks whether the service can listen on its port, or already does. */
export async function checkPort({ port, host }: Config, isRunning: boolean): Promise<Finding> {
  const server = createServer();
  const code = await new Promise<string | null>((resolve) => {
    server.once('error', (error: NodeJS.ErrnoException) => resolve(error.code ?? error.message));
    server.listen({ port, host }, () => resolve(null));
  });
  await new Promise((resolve) => server.close(resolve));
  if (code === null) return good(`${host}:${port} is free`);
  if (code === 'EADDRINUSE' && isRunning) return good(`${host}:${port} is the running service`);
  if (code === 'EADDRINUSE')
    return bad(`${host}:${port} is taken by another program: set PORT to another one`);
  return bad(`${host}:${port} cannot be listened on (${code})`);
}

/** Reports the source of the key that signs cookies, never the key itself. */
export async function checkSecretKey({ secretKey, dataDir }: Config): Promise<Finding> {
  if (secretKey !== null) return good('SECRET_KEY is set');
  const facts = await stat(join(dataDir, 'secret.key')).catch(() => null);
  if (!facts) return good('a key file, created at the first start');
  const isOpen = process.platform !== 'win32' && (facts.mode & 0o077) !== 0;
  return isOpen
    ? bad('secret.key can be read by others: chmod 600 it')
    : good('secret.key in the data directory');
}

/** Checks whether the web page has been built. */
export async function checkPage(): Promise<Finding> {
  const path = new URL('../../../web/dist/index.html', import.meta.url);
  const facts = await stat(path).catch(() => null);
  return facts ? good('built') : note('not built yet: "npm start" builds it, or "npm run build"');
}
