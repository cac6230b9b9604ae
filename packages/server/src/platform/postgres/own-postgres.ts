import type { Logger } from 'pino';
import { pause, systemClock } from '../clock.ts';
import type { Connection } from '../db/connection.ts';
import { messageOf } from '../errors.ts';
import { isAlive } from '../process/is-alive.ts';
import type { PostgresBinaries } from './binaries.ts';
import { type Cluster, prepareCluster, type Transport } from './cluster.ts';
import {
  ask,
  createServiceDatabase,
  launch,
  postmasterPid,
  stopPostmaster,
  untilReady,
} from './postmaster.ts';
import { requirePassword } from './require-password.ts';
import { startWatchdog } from './watchdog.ts';

/** Running embedded PostgreSQL. */
export interface OwnPostgres {
  readonly connection: Connection;
  /** Absolute path of the database files, with links resolved. */
  readonly folder: string;
  /** Returns the process id of the postmaster, which changes after a restart. */
  pid(): number;
  /** Stops the server: open transactions are rolled back, and everything committed is on disk. */
  stop(): Promise<void>;
}

/** Options of `startOwnPostgres`. */
export interface OwnPostgresOptions {
  /** Data directory. The database is in its folder `postgres`. */
  readonly dataDir: string;
  readonly log: Logger;
  readonly transport?: Transport;
  /** Programs of another PostgreSQL version, to read an older database. */
  readonly binaries?: PostgresBinaries;
  /** Settings that override the defaults. */
  readonly settings?: Readonly<Record<string, string>>;
  /** Time for which the database keeps running after this process is killed, in seconds. Default: 60. */
  readonly lingerSeconds?: number;
  /** Called before a database is created. Throws if one should exist already. */
  readonly beforeCreate?: () => Promise<void>;
}

const watchMs = 250;
const longestRestartPauseMs = 5000;
const longestTakeOverMs = 20_000;

/**
 * Starts the PostgreSQL in the data directory, or takes over one that a killed service left running, and supervises it.
 * If it dies it is restarted; queries meanwhile fail with an error that `isDatabaseUnavailable` recognises. The caller
 * holds the lock on the data directory.
 */
export async function startOwnPostgres(options: OwnPostgresOptions): Promise<OwnPostgres> {
  const { log, settings = {} } = options;
  const prepared = await prepareCluster(options);
  // Started before the database, so that a killed service never leaves a database without a watchdog.
  const watchdog = await startWatchdog(options.dataDir, prepared.folder, options.lingerSeconds ?? 60);
  let pid = (await takeOver(prepared, log)) ?? (await launchPatiently(prepared, settings));
  const cluster = await requirePassword(prepared, pid, log);
  await createServiceDatabase(cluster);

  const stopping = new AbortController();
  const watch = async () => {
    let restartPauseMs = 100;
    while (!stopping.signal.aborted) {
      await pause(watchMs, stopping.signal);
      if (stopping.signal.aborted || isAlive(pid)) {
        restartPauseMs = 100;
        continue;
      }
      log.error({ pid }, 'PostgreSQL has ended and is started again');
      try {
        pid = await launchAndWait(cluster, settings);
        log.info({ pid }, 'PostgreSQL runs again');
      } catch (error) {
        // Its orphaned child processes may still hold the shared memory for a moment.
        log.error({ err: error }, 'PostgreSQL could not be started again yet');
        await pause(restartPauseMs, stopping.signal);
        restartPauseMs = Math.min(longestRestartPauseMs, restartPauseMs * 2);
      }
    }
  };
  const watching = watch();

  return {
    connection: cluster.connection,
    folder: cluster.folder,
    pid: () => pid,
    stop: async () => {
      if (stopping.signal.aborted) return watching;
      stopping.abort();
      await watching;
      await stopPostmaster(pid, log);
      watchdog.dismiss();
    },
  };
}

/**
 * Returns the process id of a server that is already running, after waiting until it is ready. Returns null if there is
 * none.
 */
async function takeOver(cluster: Cluster, log: Logger): Promise<number | null> {
  const deadline = systemClock.monotonicMs() + longestTakeOverMs;
  while (systemClock.monotonicMs() < deadline) {
    const pid = await postmasterPid(cluster.folder);
    if (pid === null || !isAlive(pid)) return null;
    const answer = await ask(cluster);
    if (answer === 'ready') {
      log.info({ pid }, 'took over the PostgreSQL that was left running');
      return pid;
    }
    // The server is starting or stopping, or the pid file is stale and its process id was reused, which PostgreSQL
    // detects at its start.
    if (answer === 'absent' && systemClock.monotonicMs() > deadline - longestTakeOverMs + 3000) return null;
    await pause(50);
  }
  return null;
}

async function launchAndWait(cluster: Cluster, settings: Readonly<Record<string, string>>): Promise<number> {
  const child = await launch(cluster, settings);
  await untilReady(cluster, () => child.exitCode !== null || child.signalCode !== null);
  const pid = await postmasterPid(cluster.folder);
  return pid ?? child.pid ?? 0;
}

/**
 * Starts the server with retries. The child processes of a killed postmaster hold its shared memory for a moment, and
 * until then a new one does not start.
 */
async function launchPatiently(
  cluster: Cluster,
  settings: Readonly<Record<string, string>>,
): Promise<number> {
  for (let pauseMs = 100; ; pauseMs *= 2) {
    try {
      return await launchAndWait(cluster, settings);
    } catch (error) {
      if (pauseMs > longestRestartPauseMs || !messageOf(error).includes('still in use')) throw error;
      await pause(pauseMs);
    }
  }
}
