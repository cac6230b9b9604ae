import type { JobProgress } from '@stem-studio/contract/events/job-progress';
import type { CatalogScan } from '@stem-studio/contract/resources/catalog-scan';
import type { LibraryImport } from '@stem-studio/contract/resources/import';
import type { Job } from '@stem-studio/contract/resources/job';
import { type MixExport, mixExport } from '@stem-studio/contract/resources/mix';
import type { Track } from '@stem-studio/contract/resources/track';
import type { QueryClient } from '@tanstack/react-query';
import { changeCached } from './change-cached.ts';
import {
  type CachedPage,
  isFinished,
  withImport,
  withItems,
  withJobEvent,
  withJobProgress,
  withoutItem,
} from './live-merge.ts';

/** Updates a track in the cache, also in every list that contains it. */
export function mergeTrack(client: QueryClient, track: Track): void {
  client.setQueryData(['track', track.id], track);
  void client.invalidateQueries({ queryKey: ['separations', track.id] });
  changeCached<CachedPage<Track>>(client, ['tracks'], (page) =>
    withItems(page, (item) => (item.id === track.id ? track : item)),
  );
}

/** Updates an import in the cache; a finished one leaves the list of running imports. */
export function mergeImport(client: QueryClient, changed: LibraryImport): void {
  client.setQueryData<LibraryImport>(['import', changed.id], (known) => known && changed);
  client.setQueryData<LibraryImport[]>(['imports'], (list) => list && withImport(list, changed));
}

/**
 * Updates the scan of the catalog folder in the cache. The end of a scan refetches the catalog and the scan itself,
 * because a reply in flight may still report it as running.
 */
export function mergeScan(client: QueryClient, scan: CatalogScan): void {
  client.setQueryData(['catalog-scan'], scan);
  if (scan.status === 'running') return;
  for (const key of ['catalog-scan', 'collections', 'catalog-songs'])
    void client.invalidateQueries({ queryKey: [key] });
}

/** Removes a track from the cache and from every list. */
export function forgetTrack(client: QueryClient, trackId: string): void {
  changeCached<CachedPage<Track>>(client, ['tracks'], (page) => withoutItem(page, trackId));
  void client.invalidateQueries({ queryKey: ['related'] });
  client.removeQueries({ queryKey: ['separations', trackId] });
  client.removeQueries({ queryKey: ['analysis', trackId] });
  client.removeQueries({ queryKey: ['cues', trackId] });
  client.removeQueries({ queryKey: ['grid', trackId] });
  client.removeQueries({ queryKey: ['notes', trackId] });
}

/** Applies a job event to the mix that it is about; the end of a job refetches the mixes. */
export function mergeMixJob(client: QueryClient, event: JobProgress): void {
  if (event.type !== 'mix') return;
  const { job_id, status, progress, message, eta_seconds, error } = event;
  if (isFinished(status)) {
    void client.invalidateQueries({ queryKey: ['mixes'] });
    return;
  }
  const running = mixExport.shape.status.safeParse(status);
  client.setQueryData<MixExport>(['mixes', job_id], (mix) =>
    mix && running.success ? { ...mix, status: running.data, progress, message, eta_seconds, error } : mix,
  );
}

/** Applies a job event to tracks and job lists; calls `refetchJobs` if no list contains the job. */
export function mergeJob(client: QueryClient, event: JobProgress, refetchJobs: () => void): void {
  if (event.track_id !== null) {
    changeCached<Track>(client, ['track', event.track_id], (track) => withJobProgress(track, event));
    changeCached<CachedPage<Track>>(client, ['tracks'], (page) =>
      withItems(page, (item) => withJobProgress(item, event)),
    );
  }
  let isKnown = false;
  changeCached<CachedPage<Job>>(client, ['jobs', 'list'], (page) => {
    const data = withJobEvent(page.data, event);
    if (data) isKnown = true;
    return data ? { ...page, data } : page;
  });
  const isOver = isFinished(event.status);
  if (!isKnown || isOver || (event.status === 'queued' && event.progress === 0)) refetchJobs();
  if (!isOver) return;
  if (event.type === 'download' || event.type === 'processing')
    void client.invalidateQueries({ queryKey: ['usage'] });
  if (event.type === 'download') void client.invalidateQueries({ queryKey: ['sources', event.track_id] });
  if (event.type === 'analysis') void client.invalidateQueries({ queryKey: ['analysis', event.track_id] });
  if (event.type === 'processing') {
    void client.invalidateQueries({ queryKey: ['processing-job', event.job_id] });
    void client.invalidateQueries({ queryKey: ['separations', event.track_id] });
  }
  void client.invalidateQueries({ queryKey: ['track', event.track_id] });
}
