import type { JobStatus, JobType } from '@stem-studio/contract/states';
import type { Generated, Selectable } from 'kysely';
import type { QueueClass } from '../queue/fair-share.ts';
import type { Json, MaybeMoment, Moment } from './column-types.ts';

/** Background jobs of all types. The queue contains only their ids. */
export interface JobsTable {
  id: string;
  type: JobType;
  user_id: number;
  /** Kind of the row that the job refers to, such as `track`; null together with `subject_id`. */
  subject_kind: string | null;
  subject_id: string | null;
  args: Json<Record<string, unknown>>;
  status: JobStatus;
  progress: number;
  message: string;
  eta_seconds: number | null;
  error: string | null;
  /** Number of started attempts. Attempts interrupted by a graceful stop are not counted. */
  attempt: number;
  max_attempts: number;
  /** Id of the current attempt, whose holder alone may change the row. Null if the job is not running. */
  lease_id: string | null;
  /** Id of the job's current queue entry; null when it is finished. */
  queue_id: string | null;
  /** Id of the batch the job was requested in; null for a single request. */
  batch_id: string | null;
  /** Line of the queue; null for jobs that finished before lines were recorded. */
  queue_line: string | null;
  queue_class: Generated<QueueClass>;
  /** Start tag and finish tag in virtual time, see {@link QueueFlowsTable}. */
  queue_tag: Generated<number>;
  queue_finish_tag: Generated<number>;
  /** Expected number of bytes that the job adds to its user's storage; counted until it is finished. */
  expected_bytes: Generated<number>;
  created_at: Moment;
  started_at: MaybeMoment;
  finished_at: MaybeMoment;
  updated_at: Moment;
}

/** Row of {@link JobsTable}. */
export type JobRow = Selectable<JobsTable>;

/** Virtual time of each line of the queue. */
export interface QueueLinesTable {
  line: string;
  virtual_time: number;
}

/** Finish tag of the requests of each user and class in a line. */
export interface QueueFlowsTable {
  line: string;
  user_id: number;
  class: QueueClass;
  finish_tag: number;
}

/** Number of requests per rate-limit bucket in the current window. */
export interface RateLimitsTable {
  bucket: string;
  window_start: number;
  count: number;
}

/** Folders that are pending deletion because their rows were deleted. */
export interface FoldersToDeleteTable {
  path: string;
  created_at: Moment;
}

/** Identity that the database shares with the folders of its stored files. Has one row. */
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

/** Stored replies to requests with an `Idempotency-Key`. */
export interface IdempotentRepliesTable {
  user_id: number;
  endpoint: string;
  key: string;
  fingerprint: string;
  claim_id: string;
  claimed_until: Moment;
  /** HTTP status; null while the first request is in progress. */
  status: number | null;
  body: string | null;
  created_at: Moment;
}

/** Disk space that is reserved for running work. */
export interface DiskReservationsTable {
  id: string;
  /** Job of the reservation; null for an upload or an export. */
  job_id: string | null;
  /** Lease of the job. A reservation under another lease is not counted. */
  lease_id: string | null;
  /** User whose storage an upload will count towards. */
  user_id: number | null;
  bytes: number;
  until: Moment;
}
