import { z } from 'zod';
import { channel } from '../channel.ts';
import { uuid } from '../ids.ts';
import { jobState } from '../resources/job.ts';
import { jobType } from '../states.ts';

/**
 * Progress of a job, pushed with every change. `track_id` is null for a job without a track.
 *
 * @spec Job progress
 */
export const jobProgress = jobState.extend({ type: jobType, track_id: uuid.nullable() });
/** Progress of a job. */
export type JobProgress = z.infer<typeof jobProgress>;

/** Topic of one job. The join reply contains the current state, so that no update is missed. */
export const jobChannel = channel({
  topic: 'jobs:{job_id}',
  summary: 'Progress of one job',
  socket: '/socket/websocket',
  scope: 'jobs:read',
  params: z.object({ job_id: uuid }),
  pushes: { job_progress: jobProgress },
});
