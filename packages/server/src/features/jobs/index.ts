import type { Feature } from '../../platform/feature.ts';
import { jobsPart } from './account-part.ts';
import { jobTopic } from './jobs.channel.ts';
import { jobRoutes } from './jobs.routes.ts';

export { publishCancelled, publishProgress } from './job-events.ts';
export { presentJobs } from './jobs.service.ts';

/** Background jobs of every type: lists, cancel, retry and progress events. */
export const jobs: Feature = {
  name: 'jobs',
  routes: jobRoutes,
  channels: [jobTopic],
  accountParts: [jobsPart],
};
