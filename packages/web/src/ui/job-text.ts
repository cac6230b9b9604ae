import { cancelledError, type JobState } from '@stem-studio/contract/resources/job';
import type { Track } from '@stem-studio/contract/resources/track';
import type { JobType } from '@stem-studio/contract/states';
import { timeLeftText } from '../base/format.ts';
import { isFinished } from '../client/live-merge.ts';

type Told = Pick<JobState, 'status' | 'progress' | 'message' | 'eta_seconds' | 'error'>;

/** What each kind of job does, as a person would say it. */
export const jobTypeNames: Readonly<Record<JobType, string>> = {
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
export function stageText(job: Told): string {
  if (isCancelled(job)) return 'Cancelled';
  switch (job.status) {
    case 'failed':
      return (
        asTitle(job.error ?? '') || 'Failed without a reason; retry, or look into the log of the service'
      );
    case 'completed':
      return 'Done';
    case 'queued':
      return queuedText(job.message);
    case 'downloading':
      return job.message || 'Downloading';
    case 'processing':
      return job.message || 'Working';
  }
}

function queuedText(message: string): string {
  if (message === '') return 'Queued: waits for a free worker';
  return /^queued/i.test(message) ? message : `Queued: ${message}`;
}

/** Percent and time left of a running job, such as `45 % · 20 s left`; empty for every other. */
export function progressText(job: Told): string {
  if (isFinished(job.status) || job.status === 'queued') return '';
  return [`${job.progress} %`, timeLeftText(job.eta_seconds)].filter((part) => part !== '').join(' · ');
}

/** A job of a track, and of which kind. */
export interface TrackJob {
  type: JobType;
  state: JobState;
}

/** The one job of a track that its row tells about: what runs or waits, else what failed, else none. */
export function currentJob(track: Pick<Track, 'download' | 'separation' | 'analysis'>): TrackJob | null {
  const jobs: TrackJob[] = [];
  if (track.download) jobs.push({ type: 'download', state: track.download });
  if (track.separation) jobs.push({ type: 'processing', state: track.separation });
  if (track.analysis) jobs.push({ type: 'analysis', state: track.analysis });
  const running = jobs.find(({ state }) => !isFinished(state.status) && state.status !== 'queued');
  const waiting = jobs.find(({ state }) => state.status === 'queued');
  const failed = jobs.find(({ state }) => state.status === 'failed' && !isCancelled(state));
  return running ?? waiting ?? failed ?? null;
}

/** An error begins small where it ends a sentence of the log. */
function asTitle(words: string): string {
  return words.charAt(0).toUpperCase() + words.slice(1);
}
