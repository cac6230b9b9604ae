import { jobChannel } from '@stem-studio/contract/events/job-progress';
import { findPermittedJob } from '../../platform/queue/job-access.ts';
import { defineChannel } from '../../platform/socket/channel.ts';
import { progressOf } from './job-events.ts';

/**
 * Topic of one job, for its owner and for admins. A join is answered with the current state, so that no change is
 * missed.
 */
export const jobTopic = defineChannel(jobChannel, {
  async join(context, viewer, { job_id }) {
    const row = await findPermittedJob(context, viewer, job_id, 'watch');
    return row && progressOf(row);
  },
});
