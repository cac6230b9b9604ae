import { topicOf } from '@stem-studio/contract/channel';
import { type JobProgress, jobChannel } from '@stem-studio/contract/events/job-progress';
import { libraryChannel } from '@stem-studio/contract/events/library';
import type { Context } from '../../platform/context.ts';
import type { Tx } from '../../platform/db/database.ts';
import type { JobRow } from '../../platform/db/platform-tables.ts';
import type { PipelineEvents } from '../../platform/events.ts';
import { jobStateOf } from '../../platform/queue/jobs.store.ts';
import { announceAll, publish } from '../../platform/socket/publish.ts';
import { trackIdOf } from '../tracks/index.ts';

/** Returns the progress of a job as sockets report it. */
export function progressOf(row: JobRow): JobProgress {
  return { ...jobStateOf(row), type: row.type, track_id: trackIdOf(row) };
}

/**
 * Publishes the progress of a job to its own topic and to its owner's library. The events are sent when the
 * transaction commits.
 *
 * @spec Job progress
 */
export async function publishProgress(
  _context: Context,
  tx: Tx,
  { job }: PipelineEvents['job.changed'],
): Promise<void> {
  const payload = progressOf(job);
  await publish(tx, jobChannel, { job_id: job.id }, 'job_progress', payload);
  await publish(tx, libraryChannel, { user_id: job.user_id }, 'job_progress', payload);
}

/** Publishes to the topic of each of several cancelled jobs. The caller notifies the library once for all of them. */
export async function publishCancelled(
  _context: Context,
  tx: Tx,
  { jobs }: PipelineEvents['jobs.cancelled'],
): Promise<void> {
  await announceAll(
    tx,
    jobs.map((job) => ({
      topic: topicOf(jobChannel, { job_id: job.id }),
      event: 'job_progress',
      payload: progressOf(job),
    })),
  );
}
