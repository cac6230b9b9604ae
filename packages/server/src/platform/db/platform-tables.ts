import type { JobStatus, JobType } from '@stem-studio/contract/states';
import type { Generated, Selectable } from 'kysely';
import type { Json, MaybeMoment, Moment } from './column-types.ts';

/** Background work of every kind: what the queue carries is only the id. */
export interface JobsTable {
  id: string;
  type: JobType;
  user_id: number;
  track_id: string;
  args: Json<Record<string, unknown>>;
  status: JobStatus;
  progress: number;
  message: string;
  eta_seconds: number | null;
  error: string | null;
  /** Attempts begun; one that a graceful stop interrupts is not counted. */
  attempt: number;
  max_attempts: number;
  /** Made anew for each attempt: only who holds it may change the row. Null when nobody works on the job. */
  lease_id: string | null;
  /** The job's present place in the queue; null when it is finished. */
  queue_id: string | null;
  /** What it was asked for together with; null when by itself. */
  batch_id: string | null;
  /** Bytes that it is expected to add to its user's storage; counted while it is unfinished. */
  expected_bytes: Generated<number>;
  created_at: Moment;
  started_at: MaybeMoment;
  finished_at: MaybeMoment;
  updated_at: Moment;
}

/** A row of {@link JobsTable}. */
export type JobRow = Selectable<JobsTable>;

/** How many requests a caller has made in the present window. */
export interface RateLimitsTable {
  bucket: string;
  window_start: number;
  count: number;
}

/** Folders of which the rows are gone. */
export interface DoomedFoldersTable {
  path: string;
  created_at: Moment;
}

/** Messages between processes that are too long for a notification. */
export interface BusMessagesTable {
  id: Generated<number>;
  body: string;
  created_at: Generated<Date>;
}

/** Answers to requests that carried an `Idempotency-Key`. */
export interface FirstAnswersTable {
  user_id: number;
  endpoint: string;
  key: string;
  fingerprint: string;
  claim_id: string;
  claimed_until: Moment;
  /** Null while the first request is under way. */
  status: number | null;
  body: string | null;
  created_at: Moment;
}

/** Disk space that running work is going to fill. */
export interface DiskReservationsTable {
  id: string;
  /** Null: an upload or an export. */
  job_id: string | null;
  /** The job's lease; a reservation under another one does not count. */
  lease_id: string | null;
  /** Whose storage an upload will count for. */
  user_id: number | null;
  bytes: number;
  until: Moment;
}
