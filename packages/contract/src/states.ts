import { z } from 'zod';

/** Kinds of work that run in the background. A later room adds its kind here, and its worker. */
export const jobTypes = ['download', 'processing', 'analysis', 'cues', 'notes'] as const;
/** One of {@link jobTypes}. */
export const jobType = z.enum(jobTypes);
/** One of {@link jobTypes}. */
export type JobType = z.infer<typeof jobType>;

/**
 * Every state a job of any kind can be in.
 *
 * @spec Job states
 */
export const jobStatuses = ['queued', 'downloading', 'processing', 'completed', 'failed'] as const;
/** One of {@link jobStatuses}. */
export const jobStatus = z.enum(jobStatuses);
/** One of {@link jobStatuses}. */
export type JobStatus = z.infer<typeof jobStatus>;

/** States of a download job: all five. */
export const downloadStatus = jobStatus;
/** States of a separation job; a separation never downloads. */
export const processingStatus = z.enum(['queued', 'processing', 'completed', 'failed']);
/** States of an analysis job. */
export const analysisStatus = processingStatus;

/** States a job never leaves. */
export const finishedStatuses: readonly JobStatus[] = ['completed', 'failed'];

/**
 * Which state may follow which. `queued` is reachable from a running state because a failed attempt, or the
 * death of a worker, puts the job back in line.
 *
 * @spec Job states
 */
export const jobTransitions: Readonly<Record<JobStatus, readonly JobStatus[]>> = {
  queued: ['downloading', 'processing', 'failed'],
  downloading: ['queued', 'processing', 'completed', 'failed'],
  processing: ['queued', 'completed', 'failed'],
  completed: [],
  failed: [],
};
