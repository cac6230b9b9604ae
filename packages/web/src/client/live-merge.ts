import type { JobProgress } from '@stem-studio/contract/events/job-progress';
import type { LibraryImport } from '@stem-studio/contract/resources/import';
import type { Job, JobState } from '@stem-studio/contract/resources/job';
import type { Track } from '@stem-studio/contract/resources/track';
import { finishedStatuses, type JobStatus, type JobType } from '@stem-studio/contract/states';

/** Field of a track that shows jobs of a type; null for types that no field shows. */
export const trackFieldOf = {
  download: 'download',
  processing: 'separation',
  analysis: 'analysis',
  cues: null,
  notes: null,
  mix: null,
  network: null,
} as const satisfies Record<JobType, keyof Track | null>;

/** Whether a job has ended, with or without success. */
export function isFinished(status: JobStatus): boolean {
  return finishedStatuses.includes(status);
}

/**
 * Returns a track with the state of a job event. Returns the same object for an event of another track, or of a job older
 * than the one that the track shows (ids grow with time).
 */
export function withJobProgress(track: Track, event: JobProgress): Track {
  if (track.id !== event.track_id) return track;
  const field = trackFieldOf[event.type];
  if (field === null) return track;
  const shown = track[field];
  if (shown && shown.job_id > event.job_id) return track;
  const { type: _type, track_id: _trackId, ...state } = event;
  return { ...track, [field]: state satisfies JobState };
}

/** Returns jobs with a job event applied, or null if the list does not contain the job and must be refetched. */
export function withJobEvent(jobs: readonly Job[], event: JobProgress): Job[] | null {
  const index = jobs.findIndex((job) => job.id === event.job_id);
  const known = jobs[index];
  if (!known) return null;
  // A late event does not reopen a completed job; a failed one may be retried under the same id.
  if (known.status === 'completed') return [...jobs];
  const { status, progress, message, eta_seconds, error } = event;
  const next = [...jobs];
  next[index] = { ...known, status, progress, message, eta_seconds, error };
  return next;
}

/** Returns imports with one added or updated; a new one comes first, a finished one is removed. */
export function withImport(imports: readonly LibraryImport[], changed: LibraryImport): LibraryImport[] {
  const isKnown = imports.some(({ id }) => id === changed.id);
  if (changed.finished_at !== null) return imports.filter(({ id }) => id !== changed.id);
  return isKnown ? imports.map((one) => (one.id === changed.id ? changed : one)) : [changed, ...imports];
}

/** One page of a list in the query cache. */
export interface CachedPage<Item> {
  data: Item[];
  meta: { page: number; page_size: number; total_count: number; total_pages: number };
}

/** Returns a page with `change` applied to its items; the same object if no item changed, so that nothing rerenders. */
export function withItems<Item>(page: CachedPage<Item>, change: (item: Item) => Item): CachedPage<Item> {
  let changed = false;
  const data = page.data.map((item) => {
    const next = change(item);
    if (next !== item) changed = true;
    return next;
  });
  return changed ? { ...page, data } : page;
}

/** Returns a page without an item and with its total reduced; the same object if the page lacks the item. */
export function withoutItem<Item extends { id: string }>(
  page: CachedPage<Item>,
  id: string,
): CachedPage<Item> {
  const data = page.data.filter((item) => item.id !== id);
  if (data.length === page.data.length) return page;
  return { data, meta: { ...page.meta, total_count: Math.max(0, page.meta.total_count - 1) } };
}
