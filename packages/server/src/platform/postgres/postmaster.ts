import { type ChildProcess, spawn } from 'node:child_process';
import { open, readFile, stat, truncate } from 'node:fs/promises';
import { join } from 'node:path';
import { Client } from 'pg';
import type { Logger } from 'pino';
import { pause, systemClock } from '../clock.ts';
import { childEnvironment } from '../config.ts';
import { clientConfig, isDatabaseUnavailable, withDatabase } from '../db/connection.ts';
import { messageOf } from '../errors.ts';
import { isAlive } from '../process/is-alive.ts';
import type { Cluster } from './cluster.ts';

/** Settings of a PostgreSQL that serves one studio on a shared machine. */
const settings: Readonly<Record<string, string>> = {
  shared_buffers: '64MB',
  max_connections: '60',
  timezone: 'UTC',
  log_timezone: 'UTC',
  // There is no replication, so less write-ahead log is needed.
  wal_level: 'minimal',
  max_wal_senders: '0',
  min_wal_size: '48MB',
  max_wal_size: '512MB',
  jit: 'off',
  cluster_name: 'stem-studio',
};

/** Settings for tests, whose data need not survive a crash. */
export const throwAwaySettings: Readonly<Record<string, string>> = {
  fsync: 'off',
  synchronous_commit: 'off',
  full_page_writes: 'off',
  max_connections: '200',
};

const longestLogBytes = 10_000_000;
const longestStartMs = 60_000;
const longestStopMs = 20_000;

/** Returns the process id in `postmaster.pid`, or null if there is no such file. */
export async function postmasterPid(folder: string): Promise<number | null> {
  const text = await readFile(join(folder, 'postmaster.pid'), 'utf8').catch(() => '');
  const pid = Number.parseInt(text, 10);
  return Number.isInteger(pid) && pid > 0 ? pid : null;
}

/** Starts a postmaster that outlives this process if it is killed, so that a transaction in progress can commit. */
export async function launch(
  cluster: Cluster,
  overrides: Readonly<Record<string, string>>,
): Promise<ChildProcess> {
  const log = `${cluster.folder}.log`;
  if (((await stat(log).catch(() => null))?.size ?? 0) > longestLogBytes) await truncate(log);
  const output = await open(log, 'a', 0o600);
  const network =
    cluster.transport === 'tcp'
      ? { listen_addresses: '127.0.0.1', port: String(cluster.connection.port), unix_socket_directories: '' }
      : {
          listen_addresses: '',
          port: '5432',
          unix_socket_directories: cluster.connection.host ?? cluster.folder,
        };
  const flags = Object.entries({ ...settings, ...overrides, ...network }).flatMap(([name, value]) => [
    '-c',
    `${name}=${value}`,
  ]);
  try {
    const child = spawn(cluster.binaries.postgres, ['-D', cluster.folder, ...flags], {
      cwd: '/',
      env: childEnvironment({ LC_ALL: 'C' }),
      stdio: ['ignore', output.fd, output.fd],
      // A separate process group: Ctrl-C in the terminal stops the service first, which stops the server when its own
      // work is stored.
      detached: true,
      ...(cluster.account && { uid: cluster.account.uid, gid: cluster.account.gid }),
    });
    await new Promise<void>((resolve, reject) => {
      child.once('spawn', () => resolve());
      child.once('error', reject);
    });
    child.unref();
    return child;
  } finally {
    await output.close();
  }
}

/** State of a server. */
export type Answer = 'ready' | 'starting' | 'absent';

/** Checks the state of the server once. Throws permanent errors, such as a rejected password. */
export async function ask(cluster: Cluster): Promise<Answer> {
  const client = new Client(clientConfig(withDatabase(cluster.connection, 'postgres'), 5000));
  client.on('error', () => undefined);
  try {
    await client.connect();
    await client.query('select 1');
    return 'ready';
  } catch (error) {
    if (!isDatabaseUnavailable(error)) throw error;
    const { code } = error as { code?: unknown };
    return code === 'ECONNREFUSED' || code === 'ENOENT' ? 'absent' : 'starting';
  } finally {
    await client.end().catch(() => undefined);
  }
}

/** Waits until the server is ready. Throws with the end of its log if its process ends. */
export async function untilReady(cluster: Cluster, hasEnded: () => boolean): Promise<void> {
  const deadline = systemClock.monotonicMs() + longestStartMs;
  for (let waitMs = 10; systemClock.monotonicMs() < deadline; waitMs = Math.min(200, waitMs * 1.5)) {
    if ((await ask(cluster)) === 'ready') return;
    if (hasEnded())
      throw new Error(`PostgreSQL ended while it started. The end of its log:\n${await logTail(cluster)}`);
    await pause(waitMs);
  }
  throw new Error(
    `PostgreSQL was not ready after ${longestStartMs / 1000} s. The end of its log:\n${await logTail(cluster)}`,
  );
}

async function logTail(cluster: Cluster): Promise<string> {
  const text = await readFile(`${cluster.folder}.log`, 'utf8').catch((error: unknown) => messageOf(error));
  return text.slice(-1500);
}

/** Creates the service's database unless it exists. */
export async function createServiceDatabase(cluster: Cluster): Promise<void> {
  const client = new Client(clientConfig(withDatabase(cluster.connection, 'postgres'), 0));
  await client.connect();
  try {
    const name = cluster.connection.database ?? '';
    const { rowCount } = await client.query('select 1 from pg_database where datname = $1', [name]);
    if (rowCount === 0) await client.query(`create database ${client.escapeIdentifier(name)}`);
  } finally {
    await client.end();
  }
}

/**
 * Stops a server. SIGINT is PostgreSQL's fast shutdown, SIGQUIT its immediate shutdown (the next start recovers). Logs
 * if it does not stop.
 */
export async function stopPostmaster(pid: number, log: Logger): Promise<void> {
  // For `kill`, 0 would mean this process's own group.
  if (pid <= 0) return;
  for (const signal of ['SIGINT', 'SIGQUIT', 'SIGKILL'] as const) {
    if (!isAlive(pid)) return;
    try {
      process.kill(pid, signal);
    } catch {
      return;
    }
    const deadline = systemClock.monotonicMs() + (signal === 'SIGINT' ? longestStopMs : 3000);
    while (isAlive(pid) && systemClock.monotonicMs() < deadline) await pause(10);
    if (isAlive(pid)) log.warn({ pid, signal }, 'PostgreSQL did not stop');
  }
}
