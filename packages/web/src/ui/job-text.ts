import { cancelledError, type JobState } from '@stem-studio/contract/resources/job';
import type { Track } from '@stem-studio/contract/resources/track';
import type { JobType } from '@stem-studio/contract/states';
import { timeLeftText } from '../base/format.ts';
import { isFinished } from '../client/live-merge.ts';

type JobProgress = Pick<JobState, 'status' | 'progress' | 'message' | 'eta_seconds' | 'error'>;

/** Names of the types of jobs. */
export const jobTypeNames: Readonly<Record<JobType, string>> = {
  download: 'Import',
  processing: 'Stems',
  analysis: 'Analysis',
  cues: 'Cue points',
  notes: 'Notes',
  mix: 'Mix export',
  network: 'Network',
};

/** Whether the user cancelled a job. */
export function isCancelled(job: Pick<JobProgress, 'status' | 'error'>): boolean {
  return job.status === 'failed' && job.error === cancelledError;
}

/** Returns the text of a job's state: its stage, the reason why it is queued, or why it failed. */
export function stageText(job: JobProgress): string {
  if (isCancelled(job)) return 'Cancelled';
  switch (job.status) {
    case 'failed':
      return asTitle(job.error ?? '') || 'Failed for an unknown reason; see the service log';
    case 'completed':
      return 'Done';
    case 'queued':
      return queuedText(job.message);
    case 'downloading':
      return asTitle(job.message) || 'Downloading';
    case 'processing':
      return asTitle(job.message) || 'Working';
  }
}

function queuedText(message: string): string {
  if (message === '') return 'Queued';
  return /^queued/i.test(message) ? message : `Queued: ${message}`;
}

/** Percent and time left of a running job, such as `45 % · 20 s left`; empty for all others. */
export function progressText(job: JobProgress): string {
  if (isFinished(job.status) || job.status === 'queued') return '';
  return [`${job.progress} %`, timeLeftText(job.eta_seconds)].filter((part) => part !== '').join(' · ');
}

/** A job of a track and its type. */
export interface TrackJob {
  type: JobType;
  state: JobState;
}

/** Returns the job of a track that its row shows: a running, queued or failed one, in this order, or null. */
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

/** Capitalises a message, which the service writes in lower case. */
function asTitle(text: string): string {
  return text.charAt(0).toUpperCase() + text.slice(1);
}
