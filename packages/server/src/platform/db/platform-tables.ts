import type { JobStatus, JobType } from '@stem-studio/contract/states';
import type { Generated, Selectable } from 'kysely';
import type { QueueClass } from '../queue/fair-share.ts';
import type { Json, MaybeMoment, Moment } from './column-types.ts';

/** Background work of every kind: what the queue carries is only the id. */
export interface JobsTable {
  id: string;
  type: JobType;
  user_id: number;
  /** Kind of row that it is about, such as `track`; null together with `subject_id`. */
  subject_kind: string | null;
  subject_id: string | null;
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
  /** Line of the queue that it waits in; null for jobs that finished before lines were recorded. */
  queue_line: string | null;
  queue_class: Generated<QueueClass>;
  /** Virtual time at which it may start, and at which its share is used up. */
  queue_tag: Generated<number>;
  queue_finish_tag: Generated<number>;
  /** Bytes that it is expected to add to its user's storage; counted while it is unfinished. */
  expected_bytes: Generated<number>;
  created_at: Moment;
  started_at: MaybeMoment;
  finished_at: MaybeMoment;
  updated_at: Moment;
}

/** A row of {@link JobsTable}. */
export type JobRow = Selectable<JobsTable>;

/** Virtual time of each line of the queue. */
export interface QueueLinesTable {
  line: string;
  virtual_time: number;
}

/** How far the requests of a user and class have used their share of a line. */
export interface QueueFlowsTable {
  line: string;
  user_id: number;
  class: QueueClass;
  finish_tag: number;
}

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

/** The identity that the database shares with the folders of its stored files: one row. */
export interface StorageIdentityTable {
  is_only: Generated<boolean>;
  id: string;
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
