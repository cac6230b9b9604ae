import { listJobs } from '@stem-studio/contract/endpoints/jobs';
import { queryOptions } from '@tanstack/react-query';
import { call } from './call.ts';

/** Jobs per list. */
const jobsPerList = 100;

/** Filters of the lists on the jobs tab. */
const jobLists = {
  running: { status: 'downloading,processing' },
  queued: { status: 'queued' },
  finished: { status: 'completed,failed' },
  failed: { status: 'failed' },
  completed: { status: 'completed' },
} as const;
/** Name of a list on the jobs tab. */
export type JobListName = keyof typeof jobLists;

/** Page `page` (from 1) of a list of jobs, the newest first, and their total number. */
export function jobsQuery(name: JobListName, page: number) {
  return queryOptions({
    queryKey: ['jobs', 'list', name, page],
    queryFn: ({ signal }) =>
      call(
        listJobs,
        { query: { page: String(page), page_size: String(jobsPerList), ...jobLists[name] } },
        signal,
      ),
  });
}

/** Number of queued and running jobs. */
export function jobCountQuery() {
  return queryOptions({
    queryKey: ['jobs', 'count'],
    queryFn: async ({ signal }) => {
      const query = { page_size: '1', status: 'queued,downloading,processing' };
      return (await call(listJobs, { query }, signal)).meta.total_count;
    },
  });
}
