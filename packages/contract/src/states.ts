import { z } from 'zod';

/** Types of background jobs. A feature with a new type adds it here and declares its worker. */
export const jobTypes = ['download', 'processing', 'analysis', 'cues', 'notes', 'mix', 'network'] as const;
/** One of {@link jobTypes}. */
export const jobType = z.enum(jobTypes);
/** One of {@link jobTypes}. */
export type JobType = z.infer<typeof jobType>;

/**
 * Every state of a job of any type.
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
/** States of a separation job, which never downloads. */
export const processingStatus = z.enum(['queued', 'processing', 'completed', 'failed']);
/** States of an analysis job. */
export const analysisStatus = processingStatus;

/** Final states of a job. */
export const finishedStatuses: readonly JobStatus[] = ['completed', 'failed'];

/**
 * States that may follow each state. A running job returns to `queued` after a failed attempt or the death of its
 * worker.
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
