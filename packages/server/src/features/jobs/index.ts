import type { Feature } from '../../platform/feature.ts';
import { jobsPart } from './account-part.ts';
import { jobTopic } from './jobs.channel.ts';
import { jobRoutes } from './jobs.routes.ts';

export { presentJob } from './jobs.service.ts';

/** Background work of every kind, as its owner sees it. */
export const jobs: Feature = {
  name: 'jobs',
  routes: jobRoutes,
  channels: [jobTopic],
  accountParts: [jobsPart],
};
