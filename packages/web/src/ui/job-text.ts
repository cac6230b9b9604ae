import { cancelledError, type Job, type JobState } from '@stem-studio/contract/resources/job';
import type { Track } from '@stem-studio/contract/resources/track';
import type { JobType } from '@stem-studio/contract/states';
import { timeLeftText } from '../base/format.ts';
import { isFinished } from '../client/live-merge.ts';

type Told = Pick<JobState, 'status' | 'progress' | 'message' | 'eta_seconds' | 'error'>;

/** What each kind of job does, as a person would say it. */
export const workOf: Readonly<Record<JobType, string>> = {
  download: 'Import',
  processing: 'Stems',
  analysis: 'Analysis',
  cues: 'Cue points',
  notes: 'Notes',
};

/** Whether the user ended a job, which is nothing to worry about. */
export function isCancelled(job: Pick<Told, 'status' | 'error'>): boolean {
  return job.status === 'failed' && job.error === cancelledError;
}

/**
 * What a job is doing, in words: its stage, what it waits for while queued, why it failed.
 */
export function stageWords(job: Told): string {
  if (isCancelled(job)) return 'Cancelled';
  switch (job.status) {
    case 'failed':
      return (
        asTitle(job.error ?? '') || 'Failed without a reason; retry, or look into the log of the service'
      );
    case 'completed':
      return 'Done';
    case 'queued':
      return queuedWords(job.message);
    case 'downloading':
      return job.message || 'Downloading';
    case 'processing':
      return job.message || 'Working';
  }
}

function queuedWords(message: string): string {
  if (message === '') return 'Queued: waits for a free worker';
  return /^queued/i.test(message) ? message : `Queued: ${message}`;
}

/** Percent and time left of a running job, such as `45 % · 20 s left`; empty for every other. */
export function progressWords(job: Told): string {
  if (isFinished(job.status) || job.status === 'queued') return '';
  return [`${job.progress} %`, timeLeftText(job.eta_seconds)].filter((part) => part !== '').join(' · ');
}

/** A job of a track, and of which kind. */
export interface TrackJob {
  type: JobType;
  state: JobState;
}

/** The one job of a track that its row tells about: what runs or waits, else what failed, else none. */
export function tellingJob(track: Pick<Track, 'download' | 'separation' | 'analysis'>): TrackJob | null {
  const jobs: TrackJob[] = [];
  if (track.download) jobs.push({ type: 'download', state: track.download });
  if (track.separation) jobs.push({ type: 'processing', state: track.separation });
  if (track.analysis) jobs.push({ type: 'analysis', state: track.analysis });
  const running = jobs.find(({ state }) => !isFinished(state.status) && state.status !== 'queued');
  const waiting = jobs.find(({ state }) => state.status === 'queued');
  const failed = jobs.find(({ state }) => state.status === 'failed' && !isCancelled(state));
  return running ?? waiting ?? failed ?? null;
}

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

/** An error begins small where it ends a sentence of the log. */
function asTitle(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
