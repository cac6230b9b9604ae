import type { JobProgress } from '@stem-studio/contract/events/job-progress';
import type { LibraryImport } from '@stem-studio/contract/resources/import';
import type { Job, JobState } from '@stem-studio/contract/resources/job';
import type { Track } from '@stem-studio/contract/resources/track';
import { finishedStatuses, type JobStatus, type JobType } from '@stem-studio/contract/states';

/** Which field of a track tells about which kind of job; null where none does. */
export const trackFieldOf = {
  download: 'download',
  processing: 'separation',
  analysis: 'analysis',
  cues: null,
  notes: null,
} as const satisfies Record<JobType, keyof Track | null>;

/** Whether a job is over, well or badly. */
export function isFinished(status: JobStatus): boolean {
  return finishedStatuses.includes(status);
}

/**
 * `track` with a job's news in it; the same object when the news is about another track, or about a job older than
 * the one the track already shows (ids grow with time).
 */
export function withJobProgress(track: Track, news: JobProgress): Track {
  if (track.id !== news.track_id) return track;
  const field = trackFieldOf[news.type];
  if (field === null) return track;
  const shown = track[field];
  if (shown && shown.job_id > news.job_id) return track;
  const { type: _type, track_id: _trackId, ...state } = news;
  return { ...track, [field]: state satisfies JobState };
}

/** `jobs` with a job's news in it; null when the list does not hold that job and has to be fetched again. */
export function withJobNews(jobs: readonly Job[], news: JobProgress): Job[] | null {
  const index = jobs.findIndex((job) => job.id === news.job_id);
  const known = jobs[index];
  if (!known) return null;
  // A completed job stays completed, whatever arrives late; a failed one may be queued again under its own id.
  if (known.status === 'completed') return [...jobs];
  const { status, progress, message, eta_seconds, error } = news;
  const next = [...jobs];
  next[index] = { ...known, status, progress, message, eta_seconds, error };
  return next;
}

/** `imports` with an import's news in it: a new one comes first, a finished one is left out. */
export function withImportNews(imports: readonly LibraryImport[], news: LibraryImport): LibraryImport[] {
  const isKnown = imports.some(({ id }) => id === news.id);
  if (news.finished_at !== null) return imports.filter(({ id }) => id !== news.id);
  return isKnown ? imports.map((one) => (one.id === news.id ? news : one)) : [news, ...imports];
}

/** One page of a list as the query cache holds it. */
export interface CachedPage<Item> {
  data: Item[];
  meta: { page: number; page_size: number; total_count: number; total_pages: number };
}

/** `page` with `change` applied to its items; the same object when nothing changed, so that nothing redraws. */
export function withItems<Item>(page: CachedPage<Item>, change: (item: Item) => Item): CachedPage<Item> {
  let changed = false;
  const data = page.data.map((item) => {
    const next = change(item);
    if (next !== item) changed = true;
    return next;
  });
  return changed ? { ...page, data } : page;
}

/** `page` without the item `id`, its total one lower; the same object when the item is not on it. */
export function withoutItem<Item extends { id: string }>(
  page: CachedPage<Item>,
  id: string,
): CachedPage<Item> {
  const data = page.data.filter((item) => item.id !== id);
  if (data.length === page.data.length) return page;
  return { data, meta: { ...page.meta, total_count: Math.max(0, page.meta.total_count - 1) } };
}
