import type { JobProgress } from '@stem-studio/contract/events/job-progress';
import type { Network } from '@stem-studio/contract/resources/network';
import type { QueryClient } from '@tanstack/react-query';
import { isFinished } from './live-merge.ts';

/**
 * Applies an event of a download of a network to the list of networks. A new job, and the end of one, refetch the list;
 * the end also refetches the separation models, because another backend may serve them.
 */
export function mergeNetworkJob(client: QueryClient, event: JobProgress): void {
  if (event.type !== 'network') return;
  let isKnown = false;
  client.setQueryData<Network[]>(['networks'], (list) =>
    list?.map((one) => {
      if (one.job?.job_id !== event.job_id) return one;
      isKnown = true;
      const { status, progress, message, eta_seconds, error } = event;
      return { ...one, job: { ...one.job, status, progress, message, eta_seconds, error } };
    }),
  );
  const isOver = isFinished(event.status);
  if (isKnown && !isOver) return;
  void client.invalidateQueries({ queryKey: ['networks'] });
  if (isOver) void client.invalidateQueries({ queryKey: ['models'] });
}
