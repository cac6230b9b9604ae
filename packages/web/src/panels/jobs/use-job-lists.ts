import type { Job } from '@stem-studio/contract/resources/job';
import { useQueries } from '@tanstack/react-query';
import { useState } from 'react';
import { type JobListName, jobsQuery } from '../../client/job-queries.ts';

/** The shown pages of a list of jobs. */
export interface JobList {
  readonly jobs: readonly Job[];
  /** Number of jobs on the service, also on pages that are not shown. */
  readonly total: number;
  readonly isPending: boolean;
  readonly error: Error | null;
  readonly refetch: () => void;
  /** Shows another page. */
  readonly showMore: () => void;
}

/** Returns the first page of a list of jobs, and further ones on request. Page 0 stands for none: nothing is fetched. */
export function useJobList(name: JobListName, isShown = true): JobList {
  const [pages, setPages] = useState(1);
  const results = useQueries({
    queries: Array.from({ length: isShown ? pages : 0 }, (_, index) => jobsQuery(name, index + 1)),
  });
  return {
    jobs: results.flatMap(({ data }) => data?.data ?? []),
    total: results[0]?.data?.meta.total_count ?? 0,
    isPending: results.some(({ isPending }) => isPending),
    error: results.find(({ isError, data }) => isError && !data)?.error ?? null,
    refetch: () => {
      for (const result of results) void result.refetch();
    },
    showMore: () => setPages(pages + 1),
  };
}
