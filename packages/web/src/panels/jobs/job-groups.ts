import type { Job } from '@stem-studio/contract/resources/job';
import { isFinished } from '../../client/live-merge.ts';
import { isCancelled } from '../../ui/job-text.ts';

/** Heading of the group a job stands in. */
export type JobGroup = 'Running' | 'Queued' | 'Failed' | 'Finished';

/** One line of the jobs page: a job, or the songs of one import that ended alike. */
export type JobEntry =
  | { readonly kind: 'job'; readonly job: Job }
  | { readonly kind: 'import'; readonly importId: string; readonly jobs: readonly Job[] };

/** A group of lines under its heading. */
export interface JobEntries {
  readonly group: JobGroup;
  readonly entries: readonly JobEntry[];
  /** Jobs in it. */
  readonly count: number;
}

/**
 * Jobs in groups, in the order in which they want attention; groups without a job are left out. Where several downloads
 * of one import are over, they stand in one line, at the place of the newest; what failed stands alone, since each wants
 * its own answer.
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
