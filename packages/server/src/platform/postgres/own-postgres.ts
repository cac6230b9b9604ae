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

/** A running PostgreSQL of our own. */
export interface OwnPostgres {
  readonly connection: Connection;
  /** Absolute path of the database files, links resolved. */
  readonly folder: string;
  /** Process id of the postmaster; changes when it had to be started again. */
  pid(): number;
  /** Ends it: open transactions are rolled back, everything committed is on the disk. */
  stop(): Promise<void>;
}

/** What `startOwnPostgres` may be told. */
export interface OwnPostgresOptions {
  /** The database lies in its folder `postgres`. */
  readonly dataDir: string;
  readonly log: Logger;
  readonly transport?: Transport;
  /** Programs of another PostgreSQL than ours, to read a database of an older one. */
  readonly binaries?: PostgresBinaries;
  /** Settings over our own. */
  readonly settings?: Readonly<Record<string, string>>;
  /** How long the database runs on when this process is killed, in seconds; 60 unless given. */
  readonly lingerSeconds?: number;
  /** Called before a database is created where there is none; throws where there should be one. */
  readonly beforeCreate?: () => Promise<void>;
}

const watchMs = 250;
const longestRestartPauseMs = 5000;
const longestTakeOverMs = 20_000;

/**
 * Starts the PostgreSQL in the data directory, or takes over the one that a killed service has left running, and
 * watches over it: when it dies it is started again, and whoever asks meanwhile is refused with an error that
 * `isDatabaseUnavailable` knows. The caller holds the lock on the data directory.
 */
export async function startOwnPostgres(options: OwnPostgresOptions): Promise<OwnPostgres> {
  const { log, settings = {} } = options;
  const prepared = await prepareCluster(options);
  // Before the database: there is no moment in which a killed service leaves one that nobody ends.
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
        // Its orphans may still hold the shared memory: a moment later they are gone.
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

/** The process id of a server that runs already: one that answers, or comes to answer. Null when there is none. */
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
    // It starts or stops; or the file is stale and its number belongs to somebody else by now, which PostgreSQL knows.
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

/** The children of a postmaster that was killed hold its memory for a moment: until then a new one will not start. */
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
