import type { JobProgress } from '@stem-studio/contract/events/job-progress';
import type { CatalogScan } from '@stem-studio/contract/resources/catalog-scan';
import type { LibraryImport } from '@stem-studio/contract/resources/import';
import type { Job } from '@stem-studio/contract/resources/job';
import type { Track } from '@stem-studio/contract/resources/track';
import type { QueryClient } from '@tanstack/react-query';
import {
  type CachedPage,
  isFinished,
  withImportNews,
  withItems,
  withJobNews,
  withJobProgress,
  withoutItem,
} from './live-merge.ts';

/** Puts a track's new state into every list that shows it. */
export function mergeTrack(client: QueryClient, track: Track): void {
  client.setQueryData(['track', track.id], track);
  client.setQueriesData<CachedPage<Track>>(
    { queryKey: ['tracks'] },
    (page) => page && withItems(page, (item) => (item.id === track.id ? track : item)),
  );
}

/** Puts an import's news into the list of those under way, which a finished one leaves, and where it is shown. */
export function mergeImport(client: QueryClient, news: LibraryImport): void {
  client.setQueryData<LibraryImport>(['import', news.id], (known) => known && news);
  client.setQueryData<LibraryImport[]>(['imports'], (list) => list && withImportNews(list, news));
}

/**
 * Puts the state of the scan of the catalog folder where it is shown. One that has ended has changed what is found, and is
 * asked for again: a reply under way may say that it still runs.
 */
export function mergeScan(client: QueryClient, scan: CatalogScan): void {
  client.setQueryData(['catalog-scan'], scan);
  if (scan.status === 'running') return;
  for (const key of ['catalog-scan', 'collections', 'catalog-songs'])
    void client.invalidateQueries({ queryKey: [key] });
}

/** Takes a track out of every list. */
export function forgetTrack(client: QueryClient, trackId: string): void {
  client.setQueriesData<CachedPage<Track>>(
    { queryKey: ['tracks'] },
    (page) => page && withoutItem(page, trackId),
  );
  void client.invalidateQueries({ queryKey: ['related'] });
  client.removeQueries({ queryKey: ['analysis', trackId] });
  client.removeQueries({ queryKey: ['cues', trackId] });
  client.removeQueries({ queryKey: ['grid', trackId] });
  client.removeQueries({ queryKey: ['notes', trackId] });
}

/** Puts a job's news into tracks and job lists; `refetchJobs` is asked where a list does not know the job. */
export function mergeJob(client: QueryClient, news: JobProgress, refetchJobs: () => void): void {
  if (news.track_id !== null)
    client.setQueryData<Track>(['track', news.track_id], (track) => track && withJobProgress(track, news));
  client.setQueriesData<CachedPage<Track>>(
    { queryKey: ['tracks'] },
    (page) => page && withItems(page, (item) => withJobProgress(item, news)),
  );
  let isKnown = false;
  client.setQueriesData<CachedPage<Job>>({ queryKey: ['jobs', 'list'] }, (page) => {
    if (!page) return page;
    const data = withJobNews(page.data, news);
    if (data) isKnown = true;
    return data ? { ...page, data } : page;
  });
  const isOver = isFinished(news.status);
  if (!isKnown || isOver || (news.status === 'queued' && news.progress === 0)) refetchJobs();
  if (!isOver) return;
  if (news.type === 'download' || news.type === 'processing')
    void client.invalidateQueries({ queryKey: ['usage'] });
  if (news.type === 'download') void client.invalidateQueries({ queryKey: ['sources', news.track_id] });
  if (news.type === 'analysis') void client.invalidateQueries({ queryKey: ['analysis', news.track_id] });
  if (news.type === 'processing')
    void client.invalidateQueries({ queryKey: ['processing-job', news.job_id] });
  void client.invalidateQueries({ queryKey: ['track', news.track_id] });
}
