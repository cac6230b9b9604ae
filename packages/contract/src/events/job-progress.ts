import { z } from 'zod';
import { channel } from '../channel.ts';
import { uuid } from '../ids.ts';
import { jobState } from '../resources/job.ts';
import { jobType } from '../states.ts';

/**
 * How far a job is, told whenever it moves: `status`, `progress` and `message` as specified, and whose job it is.
 *
 * @spec Job progress broadcast
 */
export const jobProgress = jobState.extend({ type: jobType, track_id: uuid.nullable() });
/** How far a job is, told whenever it moves. */
export type JobProgress = z.infer<typeof jobProgress>;

/** One job. Joining answers with its present state, so that nothing is missed. */
export const jobChannel = channel({
  topic: 'jobs:{job_id}',
  summary: 'Progress of one job',
  socket: '/socket/websocket',
  scope: 'jobs:read',
  params: z.object({ job_id: uuid }),
  pushes: { job_progress: jobProgress },
});
