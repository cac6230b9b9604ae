import { z } from 'zod';
import { timestamp, uuid } from '../ids.ts';
import { jobStatus, jobType } from '../states.ts';

/** State and progress of a job, as tracks and socket events carry it. */
export const jobState = z.object({
  job_id: uuid,
  status: jobStatus,
  /** Percent, 0 to 100. Never falls within an attempt. */
  progress: z.int().min(0).max(100),
  /** Current stage, or what a queued job waits for. */
  message: z.string(),
  eta_seconds: z.int().min(0).nullable(),
  /** Why it failed and what to do next; `cancelled` where it was cancelled. */
  error: z.string().nullable(),
});
/** State and progress of a job. */
export type JobState = z.infer<typeof jobState>;

/** A job of any type, as the list of jobs shows it. */
export const job = z.object({
  id: uuid,
  type: jobType,
  /** Null for a job that is not about a track. */
  track_id: uuid.nullable(),
  /** Empty for a job that is not about a track. */
  track_title: z.string(),
  /** Import of an album or a playlist that it belongs to, or null. */
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
/** A job of any type. */
export type Job = z.infer<typeof job>;

/** Error of a cancelled job. */
export const cancelledError = 'cancelled';
