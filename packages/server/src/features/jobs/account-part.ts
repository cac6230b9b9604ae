import { listJobs } from '../../platform/queue/jobs.store.ts';
import { trackEntriesPart } from '../tracks/index.ts';
import { presentJob } from './jobs.service.ts';

/** Jobs in the account export, the oldest first. */
export const jobsPart = trackEntriesPart(
  'jobs.json',
  'what was done for your tracks, and what became of it',
  async ({ db }, tracks) => {
    const titles = new Map(tracks.map(({ id, title }) => [id, title]));
    const jobs = await listJobs(db, { track_ids: [...titles.keys()] });
    return jobs.toReversed().map((job) => presentJob(job, titles.get(job.track_id) ?? ''));
  },
);
