import { jobChannel } from '@stem-studio/contract/events/job-progress';
import { jobStateOf } from '../../platform/queue/jobs.store.ts';
import { defineChannel } from '../../platform/socket/channel.ts';
import { watchJob } from './jobs.service.ts';

/** One job, for its owner and for admins: the join answers with where it stands, so that nothing is missed. */
export const jobTopic = defineChannel(jobChannel, {
  async join(context, viewer, { job_id }) {
    const row = await watchJob(context, viewer, job_id);
    return row && { ...jobStateOf(row), type: row.type, track_id: row.track_id };
  },
});
