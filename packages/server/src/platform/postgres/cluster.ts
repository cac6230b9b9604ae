import { execFile } from 'node:child_process';
import { createHash, randomBytes } from 'node:crypto';
import {
  chmod,
  chown,
  lstat,
  mkdir,
  readFile,
  readlink,
  realpath,
  rename,
  rm,
  symlink,
  writeFile,
} from 'node:fs/promises';
import { createServer } from 'node:net';
import { join } from 'node:path';
import { promisify } from 'node:util';
import type { Logger } from 'pino';
import { childEnvironment } from '../config.ts';
import type { Connection } from '../db/connection.ts';
import { findBinaries, installCommandOf, NoPostgresError, type PostgresBinaries } from './binaries.ts';
import {
  type Account,
  firstClosedFolder,
  openFolder,
  reachableBinaries,
  unprivilegedAccount,
} from './unprivileged.ts';

const run = promisify(execFile);

/** How we talk to our own PostgreSQL: a socket file that only its account can reach, or a loopback port with a password. */
export type Transport = 'socket' | 'tcp';

/** A PostgreSQL of our own on the disk, ready to be started. */
export interface Cluster {
  readonly binaries: PostgresBinaries;
  readonly account: Account | null;
  /** Absolute path of the database files, links resolved. */
  readonly folder: string;
  readonly connection: Connection;
  readonly transport: Transport;
}

const superuser = 'stem_studio';
/** A socket's path must fit into `sockaddr_un`: 108 bytes on Linux, 104 on macOS, and one of them ends it. */
const longestSocketPath = 103;
const socketName = '/.s.PGSQL.5432';

/**
 * Makes sure that `<dataDir>/postgres` holds a cluster: creates it (aside, then renamed, so that an interrupted start
 * leaves nothing half), or checks that its version is ours.
 *
 * @param given programs of another PostgreSQL than ours, to read a database of an older one
 */
export async function prepareCluster(
  dataDir: string,
  log: Logger,
  transport: Transport,
  given?: PostgresBinaries,
): Promise<Cluster> {
  const account = await unprivilegedAccount();
  const found = given ?? (await findBinaries());
  const binaries = account ? await reachableBinaries(found, account) : found;
  await mkdir(dataDir, { recursive: true });
  const folder = await placeFor(join(dataDir, 'postgres'), account, log);
  const version = await readFile(join(folder, 'PG_VERSION'), 'utf8').catch(() => null);
  if (version === null) await create(folder, binaries, account, transport);
  else if (Number.parseInt(version, 10) !== binaries.major)
    throw new NoPostgresError(...otherVersion(folder, Number.parseInt(version, 10), binaries.major));
  return { binaries, account, folder, transport, connection: await connectionTo(folder, transport) };
}

/** Why a database of another major version is not opened, and what to do. */
function otherVersion(folder: string, found: number, ours: number): [reason: string, advice: string] {
  const reason = `the database in ${folder} was made by PostgreSQL ${found}, and this studio brings ${ours}`;
  if (found > ours) return [reason, 'Use the version of the studio that made it, or a newer one'];
  const install = installCommandOf(found);
  const commands = [...(install === null ? [] : [install]), 'npm run studio -- upgrade-database'];
  return [
    reason,
    `Nothing was changed. Bring it to ${ours} with:\n${commands.map((line) => `  ${line}`).join('\n')}`,
  ];
}

/** Where the files go: `wanted`, or a folder that the account can reach, with a link to it in the wanted place. */
async function placeFor(wanted: string, account: Account | null, log: Logger): Promise<string> {
  const existing = await lstat(wanted).catch(() => null);
  if (existing?.isSymbolicLink()) {
    const target = await readlink(wanted);
    await mkdir(target, { recursive: true, mode: 0o755 });
    return realpath(wanted);
  }
  const closed = account ? await firstClosedFolder(wanted, account) : null;
  if (existing || closed === null) return wanted;
  const elsewhere = join(
    openFolder,
    `data-${createHash('sha256').update(wanted).digest('hex').slice(0, 16)}`,
    'postgres',
  );
  await mkdir(join(elsewhere, '..'), { recursive: true, mode: 0o755 });
  await symlink(elsewhere, wanted);
  log.warn(
    { wanted, elsewhere, closed },
    `PostgreSQL runs as ${account?.name} and may not pass through ${closed}: the database lies in ${elsewhere}`,
  );
  return elsewhere;
}

async function create(
  folder: string,
  binaries: PostgresBinaries,
  account: Account | null,
  transport: Transport,
): Promise<void> {
  const aside = `${folder}.new`;
  await rm(aside, { recursive: true, force: true });
  await mkdir(aside, { mode: 0o700 });
  const password = randomBytes(24).toString('base64url');
  const passwordFile = `${aside}.password`;
  if (transport === 'tcp') await writeFile(passwordFile, password, { mode: 0o600 });
  if (account) {
    await chown(aside, account.uid, account.gid);
    if (transport === 'tcp') await chown(passwordFile, account.uid, account.gid);
  }
  const locale = ['--encoding=UTF8', '--locale=C', '--locale-provider=builtin', '--builtin-locale=C.UTF-8'];
  const auth =
    transport === 'tcp'
      ? ['--auth=scram-sha-256', `--pwfile=${passwordFile}`]
      : ['--auth-local=trust', '--auth-host=reject'];
  try {
    await run(binaries.initdb, ['-D', aside, '-U', superuser, ...locale, ...auth], {
      cwd: '/',
      env: childEnvironment({ LC_ALL: 'C' }),
      ...(account && { uid: account.uid, gid: account.gid }),
    });
    if (transport === 'tcp')
      await writeFile(join(aside, 'stem-studio.json'), JSON.stringify({ port: await freePort(), password }), {
        mode: 0o600,
      });
  } catch (error) {
    await rm(aside, { recursive: true, force: true });
    const said = (error as { stderr?: string }).stderr?.trim();
    throw new NoPostgresError(
      `the database could not be created in ${folder}: ${said || (error as Error).message}`,
    );
  } finally {
    await rm(passwordFile, { force: true });
  }
  await chmod(aside, 0o700);
  await rm(folder, { recursive: true, force: true });
  await rename(aside, folder);
}

async function connectionTo(folder: string, transport: Transport): Promise<Connection> {
  const common = { user: superuser, database: superuser };
  if (transport === 'tcp') {
    const { port, password } = JSON.parse(await readFile(join(folder, 'stem-studio.json'), 'utf8')) as {
      port: number;
      password: string;
    };
    return { ...common, host: '127.0.0.1', port, password };
  }
  return { ...common, host: await socketFolder(folder), port: 5432 };
}

/** The cluster's own folder, which nobody else may enter; a short link to it where its path is too long for a socket. */
async function socketFolder(folder: string): Promise<string> {
  if (Buffer.byteLength(folder + socketName) <= longestSocketPath) return folder;
  const short = `/tmp/stem-studio-${createHash('sha256').update(folder).digest('hex').slice(0, 16)}`;
  await symlink(folder, short).catch(() => undefined);
  // Somebody else's link of that name would lead us to somebody else's server.
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
