import type { JobState } from '@stem-studio/contract/resources/job';
import type { JobStatus, JobType } from '@stem-studio/contract/states';
import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../db/database.ts';
import type { JobRow, JobsTable } from '../db/platform-tables.ts';
import type { JobSubject } from './job-subject.ts';

/** Changed columns of a job's row. */
export type JobChange = Partial<
  Omit<Selectable<JobsTable>, 'id' | 'type' | 'args' | 'subject_kind' | 'subject_id' | 'user_id'>
>;

/** Returns the state of a job in the form that tracks and socket events contain. */
export function jobStateOf(row: JobRow): JobState {
  return {
    job_id: row.id,
    status: row.status,
    progress: row.progress,
    message: row.message,
    eta_seconds: row.eta_seconds,
    error: row.error,
  };
}

/** Returns a job of any owner by its id, or null. */
export async function findJob(db: Db | Tx, id: string): Promise<JobRow | null> {
  const row = await db.selectFrom('jobs').selectAll().where('id', '=', id).executeTakeFirst();
  return row ?? null;
}

/** Filter of a list of jobs. */
export interface JobFilter {
  user_id?: number;
  /** Row that the jobs refer to; null for jobs without a subject. */
  subject?: JobSubject | null;
  /** Rows of one kind that the jobs refer to. */
  subjects?: { readonly kind: string; readonly ids: readonly string[] };
  /** Excludes jobs whose subject is of this kind. */
  exceptKind?: string;
  type?: JobType;
  statuses?: readonly JobStatus[];
  /** Id of the import; `none` for jobs that belong to no import. */
  batch_id?: string;
  limit?: number;
  offset?: number;
}

function filtered(db: Db | Tx, filter: JobFilter) {
  let query = db.selectFrom('jobs');
  if (filter.user_id !== undefined) query = query.where('user_id', '=', filter.user_id);
  if (filter.subject === null) query = query.where('subject_id', 'is', null);
  else if (filter.subject !== undefined) {
    const { kind, id } = filter.subject;
    query = query.where('subject_kind', '=', kind).where('subject_id', '=', id);
  }
  const { exceptKind } = filter;
  if (exceptKind !== undefined)
    query = query.where((e) => e.or([e('subject_kind', 'is', null), e('subject_kind', '<>', exceptKind)]));
  if (filter.subjects !== undefined) {
    const { kind, ids } = filter.subjects;
    query = query.where('subject_kind', '=', kind).where('subject_id', 'in', ids);
  }
  if (filter.type !== undefined) query = query.where('type', '=', filter.type);
  if (filter.statuses !== undefined) query = query.where('status', 'in', filter.statuses);
  if (filter.batch_id === 'none') query = query.where('batch_id', 'is', null);
  else if (filter.batch_id !== undefined) query = query.where('batch_id', '=', filter.batch_id);
  return query;
}

/** Returns the jobs that match the filter, newest first. */
export async function listJobs(db: Db | Tx, filter: JobFilter): Promise<JobRow[]> {
  let query = filtered(db, filter).selectAll().orderBy('created_at', 'desc').orderBy('id', 'desc');
  if (filter.limit !== undefined) query = query.limit(filter.limit);
  if (filter.offset !== undefined) query = query.offset(filter.offset);
  return query.execute();
}

/** Returns the number of jobs that match the filter. */
export async function countJobs(db: Db | Tx, filter: JobFilter): Promise<number> {
  const row = await filtered(db, filter)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow();
  return row.count;
}

/** Returns the newest job of each type of each subject, by subject id and type. Subjects without jobs are missing. */
export async function newestJobs(
  db: Db | Tx,
  kind: string,
  subjectIds: readonly string[],
): Promise<Map<string, Partial<Record<JobType, JobRow>>>> {
  const bySubject = new Map<string, Partial<Record<JobType, JobRow>>>();
  if (subjectIds.length === 0) return bySubject;
  const rows = await db
    .selectFrom('jobs')
    .distinctOn(['subject_id', 'type'])
    .selectAll()
    .where('subject_kind', '=', kind)
    .where(sql<boolean>`subject_id = any(${[...subjectIds]}::uuid[])`)
    .orderBy('subject_id')
    .orderBy('type')
    .orderBy('created_at', 'desc')
    .orderBy('id', 'desc')
    .execute();
  for (const row of rows) {
    const id = row.subject_id;
    if (id !== null) bySubject.set(id, { ...bySubject.get(id), [row.type]: row });
  }
  return bySubject;
}

/** Columns of a new job. */
export type NewJob = Pick<
  JobRow,
  | 'id'
  | 'type'
  | 'user_id'
  | 'subject_kind'
  | 'subject_id'
  | 'args'
  | 'batch_id'
  | 'message'
  | 'max_attempts'
  | 'created_at'
> &
  Partial<Pick<JobRow, 'expected_bytes' | 'queue_line' | 'queue_class' | 'queue_tag' | 'queue_finish_tag'>>;

const newRow = (job: NewJob & Partial<Pick<JobRow, 'queue_id'>>) => ({
  ...job,
  args: JSON.stringify(job.args),
  status: 'queued' as const,
  progress: 0,
  attempt: 0,
  updated_at: job.created_at,
});

/** Inserts a new job. */
export async function insertJob(tx: Tx, job: NewJob): Promise<JobRow> {
  return tx.insertInto('jobs').values(newRow(job)).returningAll().executeTakeFirstOrThrow();
}

/** Rows per statement, below PostgreSQL's limit of parameters. */
const rowsAtOnce = 1000;

/** Inserts new jobs whose queue ids are already chosen. Returns them in their order. */
export async function insertJobs(
  tx: Tx,
  jobs: readonly (NewJob & Pick<JobRow, 'queue_id'>)[],
): Promise<JobRow[]> {
  const rows: JobRow[] = [];
  for (let at = 0; at < jobs.length; at += rowsAtOnce) {
    const some = jobs.slice(at, at + rowsAtOnce).map(newRow);
    rows.push(...(await tx.insertInto('jobs').values(some).returningAll().execute()));
  }
  return rows;
}

/** Returns the unfinished jobs of a batch, locked until the transaction ends. */
export function lockUnfinishedBatch(tx: Tx, batchId: string): Promise<JobRow[]> {
  return tx
    .selectFrom('jobs')
    .selectAll()
    .where('batch_id', '=', batchId)
    .where('finished_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Returns the unfinished jobs of a user, locked until the transaction ends. */
export function lockUnfinishedOf(tx: Tx, userId: number): Promise<JobRow[]> {
  return tx
    .selectFrom('jobs')
    .selectAll()
    .where('user_id', '=', userId)
    .where('finished_at', 'is', null)
    .orderBy('id')
    .forUpdate()
    .execute();
}

/** Deletes all jobs of the subjects, finished or not. Called by the feature that deletes the subjects. */
export async function deleteJobsOf(tx: Tx, kind: string, subjectIds: readonly string[]): Promise<void> {
  if (subjectIds.length === 0) return;
  await tx
    .deleteFrom('jobs')
    .where('subject_kind', '=', kind)
    .where(sql<boolean>`subject_id = any(${[...subjectIds]}::uuid[])`)
    .execute();
}

/** Applies one change to jobs that the caller has locked. */
export function updateJobs(db: Db | Tx, ids: readonly string[], change: JobChange): Promise<JobRow[]> {
  return db
    .updateTable('jobs')
    .set({ ...change, updated_at: sql`now()` })
    .where(sql<boolean>`id = any(${ids}::uuid[])`)
    .returningAll()
    .execute();
}

/** Returns an unfinished job, locked until the transaction ends, or null if it is finished or missing. */
export async function lockUnfinishedJob(tx: Tx, id: string): Promise<JobRow | null> {
  const row = await tx
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .where('finished_at', 'is', null)
    .forUpdate()
    .executeTakeFirst();
  return row ?? null;
}

/**
 * Returns a queued job, locked until the transaction ends. Returns null for any other job, and for a job that another
 * transaction has locked.
 */
export async function lockWaitingJob(tx: Tx, id: string): Promise<JobRow | null> {
  const row = await tx
    .selectFrom('jobs')
    .selectAll()
    .where('id', '=', id)
    .where('status', '=', 'queued')
    .forUpdate()
    .skipLocked()
    .executeTakeFirst();
  return row ?? null;
}

/** Changes a job that the caller has locked. */
export async function updateJob(db: Db | Tx, id: string, change: JobChange): Promise<JobRow> {
  return db
    .updateTable('jobs')
    .set({ ...change, updated_at: sql`now()` })
    .where('id', '=', id)
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Changes an unfinished job if the lease is still held. Returns null if the lease is lost or the job is finished. */
export async function updateLeasedJob(
  db: Db | Tx,
  id: string,
  leaseId: string,
  change: JobChange,
): Promise<JobRow | null> {
  const row = await db
    .updateTable('jobs')
    .set({ ...change, updated_at: sql`now()` })
    .where('id', '=', id)
    .where('lease_id', '=', leaseId)
    .where('finished_at', 'is', null)
    .returningAll()
    .executeTakeFirst();
  return row ?? null;
}
