import { sql } from 'kysely';
import type { Logger } from 'pino';
import type { Connection } from '../db/connection.ts';
import { openDatabase, type Tx } from '../db/database.ts';
import { createListener } from '../db/listener.ts';
import type { JobRow } from '../db/platform-tables.ts';
import { newId } from '../ids.ts';
import { createQueue } from './queue.ts';
import type { Worker } from './worker.ts';

const jobsAtOnce = 500;

/**
 * Adds every unfinished job to the queue again, in one transaction. Needed for a database whose queue is empty, such as
 * a restored one. A running job becomes queued, and its interrupted attempt is not counted. Idempotent. No other
 * process may use the database meanwhile.
 *
 * @returns the number of jobs
 */
export async function requeueUnfinishedJobs(
  connection: Connection,
  workers: readonly Worker[],
  log: Logger,
): Promise<number> {
  const database = openDatabase({ connection, log, maxConnections: 4 });
  const listener = createListener(connection, log);
  const queue = createQueue({ pool: database.pool, listener, log, workers, isSupervising: false });
  try {
    await queue.open();
    return await database.db.transaction().execute(async (tx) => {
      const jobs = await tx
        .selectFrom('jobs')
        .selectAll()
        .where('finished_at', 'is', null)
        .orderBy('created_at')
        .orderBy('id')
        .forUpdate()
        .execute();
      for (let at = 0; at < jobs.length; at += jobsAtOnce) {
        const some = jobs.slice(at, at + jobsAtOnce);
        await queue.dropAll(tx, some);
        await queue.sendAll(tx, await assignQueueIds(tx, some));
      }
      return jobs.length;
    });
  } finally {
    await queue.stop();
    await database.close();
  }
}

async function assignQueueIds(tx: Tx, jobs: readonly JobRow[]): Promise<JobRow[]> {
  const { rows } = await sql<JobRow>`
    update jobs set queue_id = entry.queue_id, status = 'queued', lease_id = null, eta_seconds = null,
      progress = case when lease_id is null then progress else 0 end,
      attempt = case when lease_id is null then attempt else greatest(0, attempt - 1) end
    from unnest(${jobs.map(({ id }) => id)}::uuid[], ${jobs.map(() => newId())}::uuid[]) as entry (job_id, queue_id)
    where jobs.id = entry.job_id returning jobs.*`.execute(tx);
  return rows;
}
