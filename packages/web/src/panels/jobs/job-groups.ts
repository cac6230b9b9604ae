import type { Job } from '@stem-studio/contract/resources/job';
import { durationText } from '../../base/time-text.ts';
import { isFinished } from '../../client/live-merge.ts';
import { isCancelled } from '../../ui/job-text.ts';

/** Heading of a group of jobs. */
export type JobGroup = 'Running' | 'Queued' | 'Failed' | 'Finished';

/** One line of the jobs tab: a job, or the finished jobs of one import. */
export type JobEntry =
  | { readonly kind: 'job'; readonly job: Job }
  | { readonly kind: 'import'; readonly importId: string; readonly jobs: readonly Job[] };

/** A group of lines with its heading. */
export interface JobEntries {
  readonly group: JobGroup;
  readonly entries: readonly JobEntry[];
  /** Number of jobs. */
  readonly count: number;
}

/**
 * Groups jobs by state: running, queued, failed, finished, without empty groups. Finished downloads of one import share one
 * line at the position of the newest; failed ones keep their own line, because each can be retried.
 */
export function groupJobs(jobs: readonly Job[]): JobEntries[] {
  const groups: Record<JobGroup, Job[]> = { Running: [], Queued: [], Failed: [], Finished: [] };
  for (const job of jobs) groups[groupOf(job)].push(job);
  return (['Running', 'Queued', 'Failed', 'Finished'] as const)
    .filter((group) => groups[group].length > 0)
    .map((group) => ({
      group,
      entries:
        group === 'Finished'
          ? foldImports(groups[group])
          : groups[group].map((job) => ({ kind: 'job', job }) as const),
      count: groups[group].length,
    }));
}

function foldImports(jobs: readonly Job[]): JobEntry[] {
  const entries: JobEntry[] = [];
  const folded = new Map<string, Job[]>();
  for (const job of jobs) {
    const songs = job.import_id === null ? undefined : folded.get(job.import_id);
    if (songs) songs.push(job);
    else if (job.import_id === null) entries.push({ kind: 'job', job });
    else {
      const first = [job];
      folded.set(job.import_id, first);
      entries.push({ kind: 'import', importId: job.import_id, jobs: first });
    }
  }
  return entries;
}

function groupOf(job: Job): JobGroup {
  if (job.status === 'queued') return 'Queued';
  if (!isFinished(job.status)) return 'Running';
  return job.status === 'failed' && !isCancelled(job) ? 'Failed' : 'Finished';
}

/** Returns how long a finished job took, without its time in the queue; empty if it never started. */
export function tookText({ started_at, finished_at }: Pick<Job, 'started_at' | 'finished_at'>): string {
  if (started_at === null || finished_at === null) return '';
  return `took ${durationText((Date.parse(finished_at) - Date.parse(started_at)) / 1000)}`;
}
