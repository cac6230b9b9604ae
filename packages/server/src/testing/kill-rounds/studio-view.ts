import { sql } from 'kysely';
import { parseConfig } from '../../config.ts';
import { createContext } from '../../context.ts';
import { checkStorage } from '../../features/storage-check/index.ts';
import { features } from '../../features.ts';
import { pause, systemClock } from '../../platform/clock.ts';
import type { Context } from '../../platform/context.ts';
import { deleteMarkedFolders } from '../../platform/files/folders-to-delete.ts';
import { stagingSeconds } from '../../platform/files/staging.ts';
import { createLog } from '../../platform/log.ts';
import { findCluster } from '../../platform/postgres/cluster.ts';

/** Longest time in ms until every job has finished after a kill. */
const settleLimitMs = 180_000;
/** Sweeps wait 15 minutes, deleted tracks 10: a clock that is 20 minutes ahead makes all of them due. */
const sweepLaterMs = 20 * 60_000;

/** Database and files of a studio whose processes are killed, accessed from another process. */
export interface StudioView {
  readonly context: Context;
  /** Waits until every job has finished. Throws with the unfinished jobs on timeout. */
  untilJobsEnd(): Promise<void>;
  /** Returns the findings of the storage check as lines. */
  check(): Promise<string[]>;
  /** Runs the sweeps of the service with a clock twenty minutes ahead. */
  sweep(): Promise<void>;
  close(): Promise<void>;
}

interface Unfinished {
  readonly type: string;
  readonly status: string;
  readonly attempt: number;
  readonly message: string;
  readonly queue: string | null;
}

async function listUnfinished({ db }: Context): Promise<readonly Unfinished[]> {
  const { rows } = await sql<Unfinished>`
    select jobs.type, jobs.status, jobs.attempt, jobs.message, entry.state::text as queue
    from jobs left join pgboss.job as entry on entry.id = jobs.queue_id
    where jobs.finished_at is null`.execute(db);
  return rows;
}

/** Opens a view of the studio in `folder`; its service must have been started. */
export async function openStudioView(folder: string): Promise<StudioView> {
  const config = parseConfig({ NODE_ENV: 'test', DATA_DIR: `${folder}/data` }, folder);
  const log = createLog('silent');
  const { connection } = await findCluster(config.dataDir);
  const workers = features.flatMap((feature) => feature.workers ?? []);
  const options = { connection, workers, pipeline: {}, log, maxConnections: 4, isSupervising: false };
  const { context, close } = await createContext(config, options);
  const later: Context = {
    ...context,
    clock: { ...systemClock, now: () => new Date(Date.now() + sweepLaterMs) },
  };
  return {
    context,
    close,
    async untilJobsEnd() {
      const deadline = systemClock.monotonicMs() + settleLimitMs;
      for (;;) {
        const unfinished = await listUnfinished(context).catch((error: unknown) => [error]);
        if (unfinished.length === 0) return;
        if (systemClock.monotonicMs() > deadline)
          throw new Error(
            `jobs do not end within ${settleLimitMs / 1000} s: ${JSON.stringify(unfinished.slice(0, 5))}`,
          );
        await pause(50);
      }
    },
    async check() {
      const { findings } = await checkStorage(context, { isQuiet: true });
      return findings.map(({ kind, subject, detail }) => `${kind} ${subject}: ${detail}`);
    },
    async sweep() {
      for (const feature of features) await (await feature.start?.(later))?.();
      await deleteMarkedFolders(later);
      await later.files.sweep(stagingSeconds);
    },
  };
}
