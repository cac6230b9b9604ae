import { z } from 'zod';
import { timestamp, uuid } from '../ids.ts';
import { jobStatus, jobType } from '../states.ts';

/** How far a job is, as a track carries it and as a socket tells it. */
export const jobState = z.object({
  job_id: uuid,
  status: jobStatus,
  /** Percent; never falls within an attempt. */
  progress: z.int().min(0).max(100),
  /** The stage in words: what is being done, or what a queued job waits for. */
  message: z.string(),
  eta_seconds: z.int().min(0).nullable(),
  /** Why it failed, what was kept and what to do next; `cancelled` when the user ended it. */
  error: z.string().nullable(),
});
/** How far a job is. */
export type JobState = z.infer<typeof jobState>;

/** A job of any kind, as the job list shows it. */
export const job = z.object({
  id: uuid,
  type: jobType,
  /** Null for a job that is not about a track. */
  track_id: uuid.nullable(),
  /** Empty for a job that is not about a track. */
  track_title: z.string(),
  /** The import of an album or a playlist that it belongs to, or null. */
  import_id: uuid.nullable(),
  status: jobStatus,
  progress: z.int().min(0).max(100),
  message: z.string(),
  eta_seconds: z.int().min(0).nullable(),
  error: z.string().nullable(),
  attempt: z.int().min(0),
  max_attempts: z.int().min(1),
  created_at: timestamp,
  started_at: timestamp.nullable(),
  finished_at: timestamp.nullable(),
});
/** A job of any kind. */
export type Job = z.infer<typeof job>;

/** The error of a job that its user ended. */
export const cancelledError = 'cancelled';
