import { cancelledError } from '@stem-studio/contract/resources/job';
import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { JobRow } from '../../../platform/db/platform-tables.ts';
import { storedTexts } from '../../../platform/db/stored-texts.ts';
import { keepUser } from '../../users/index.ts';
import type { CloudResultsTable, CloudTasksTable, CloudUploadsTable } from '../processing.tables.ts';

/** A task at the cloud service, which is also its entry in the ledger of minutes. */
export type CloudTaskRow = Selectable<CloudTasksTable>;
/** Audio stored at the service. */
export type CloudUploadRow = Selectable<CloudUploadsTable>;

/** States in which a task's minutes are spent. Failed and cancelled tasks cost nothing. */
const spent = ['running', 'done', 'cancelling', 'lost'] as const;
/** States in which a resumed job can use a task. */
const usable = ['asking', 'running', 'done'] as const;

/** Identifies uploaded audio: its source, its user and the account of the key. */
export type UploadedAudio = Pick<CloudUploadRow, 'user_id' | 'audio_source_id' | 'is_preview' | 'account'>;

/** Returns the newest upload of this audio that is stored at the service until at least `until`, or undefined. */
export function findUpload(db: Db, audio: UploadedAudio, until: Date): Promise<CloudUploadRow | undefined> {
  return db
    .selectFrom('cloud_uploads')
    .selectAll()
    .where('user_id', '=', audio.user_id)
    .where('audio_source_id', '=', audio.audio_source_id)
    .where('is_preview', '=', audio.is_preview)
    .where('account', '=', audio.account)
    .where('expires_at', '>', until)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Records uploaded audio. */
export async function insertUpload(db: Db, row: CloudUploadRow): Promise<void> {
  await db.insertInto('cloud_uploads').values(row).execute();
}

/** Marks an upload as expired, because the service no longer stores it. */
export async function voidUpload(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('cloud_uploads').set({ expires_at: now }).where('id', '=', id).execute();
}

/** Deletes expired uploads; their tasks stay in the ledger. */
export async function deleteExpiredUploads(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('cloud_uploads').where('expires_at', '<', now).execute();
}

/** A job and its current audio source: its track may have received another one since the job began. */
interface JobWithAudio {
  readonly id: string;
  readonly audioSourceId: string;
}

/**
 * Selects tasks of an account that a job can use. These are its own of its audio, and those of the same upload whose
 * jobs have ended.
 */
function usableTasks(
  db: Db,
  of: { readonly account: string; readonly uploadId: string | null; readonly job: JobWithAudio | null },
) {
  return db
    .selectFrom('cloud_tasks')
    .leftJoin('jobs', 'jobs.id', 'cloud_tasks.job_id')
    .leftJoin('cloud_uploads', 'cloud_uploads.id', 'cloud_tasks.upload_id')
    .selectAll('cloud_tasks')
    .where('cloud_tasks.account', '=', of.account)
    .where('state', 'in', usable)
    .where((eb) => {
      const isOver = eb.or([eb('jobs.id', 'is', null), eb('jobs.finished_at', 'is not', null)]);
      return eb.or([
        ...(of.job === null
          ? []
          : [
              eb.and([
                eb('cloud_tasks.job_id', '=', of.job.id),
                // The audio of a deleted upload is unknown.
                eb.or([
                  eb('cloud_uploads.id', 'is', null),
                  eb('cloud_uploads.audio_source_id', '=', of.job.audioSourceId),
                ]),
              ]),
            ]),
        ...(of.uploadId === null ? [] : [eb.and([eb('upload_id', '=', of.uploadId), isOver])]),
      ]);
    })
    .orderBy('asked_at', 'desc');
}

/** Returns the paid tasks of an upload that a new job could use. */
export function listPaidTasks(db: Db, account: string, uploadId: string): Promise<CloudTaskRow[]> {
  return usableTasks(db, { account, uploadId, job: null }).where('state', '!=', 'asking').execute();
}

/** Assigns usable tasks with these names to a job; the newest of each name. */
export async function adoptTasks(
  tx: Tx,
  of: { readonly account: string; readonly uploadId: string | null; readonly job: JobWithAudio },
  splits: readonly string[],
): Promise<CloudTaskRow[]> {
  const found = await usableTasks(tx, of).where('split', 'in', splits).execute();
  const newest = [...new Map(found.toReversed().map((row) => [row.split, row])).values()];
  if (newest.length === 0) return [];
  return (
    tx
      .updateTable('cloud_tasks')
      .set({ job_id: of.job.id })
      .where(
        'id',
        'in',
        newest.map(({ id }) => id),
      )
      // A task that is being ended at this moment is of no use.
      .where('state', 'in', usable)
      .returningAll()
      .execute()
  );
}

/** Returns whether a job has running tasks that another key has paid for. */
export async function hasTasksOfOthers(db: Db, jobId: string, account: string): Promise<boolean> {
  const row = await db
    .selectFrom('cloud_tasks')
    .select('id')
    .where('job_id', '=', jobId)
    .where('account', '!=', account)
    .where('state', 'in', usable)
    .limit(1)
    .executeTakeFirst();
  return row !== undefined;
}

/**
 * Inserts a task before it is requested at the service. Returns undefined where its job has ended, and no request may
 * be sent. Locks the job until the transaction ends.
 */
export async function insertTask(
  tx: Tx,
  row: Omit<CloudTaskRow, 'task_id' | 'state' | 'settled_at' | 'cancel_claimed_until'> & {
    user_id: number;
    job_id: string;
  },
): Promise<CloudTaskRow | undefined> {
  // Same lock order as the deletion of an account.
  await keepUser(tx, row.user_id);
  const job = await lockJob(tx, row.job_id);
  if (!job || job.finished_at !== null) return undefined;
  return tx
    .insertInto('cloud_tasks')
    .values({
      ...row,
      stem_types: [...row.stem_types],
      task_id: null,
      state: 'asking',
      settled_at: null,
      cancel_claimed_until: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow();
}

/** Returns a job and locks it against a cancel until the transaction ends; undefined where it was deleted. */
function lockJob(tx: Tx, id: string): Promise<Pick<JobRow, 'finished_at' | 'error'> | undefined> {
  return tx
    .selectFrom('jobs')
    .select(['finished_at', 'error'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
}

/** Records a task that the service has accepted. Where its job was cancelled or deleted, marks it as cancelling. */
export async function bookTask(tx: Tx, id: string, taskId: string): Promise<CloudTaskRow> {
  const before = await tx
    .selectFrom('cloud_tasks')
    .select('job_id')
    .where('id', '=', id)
    .executeTakeFirstOrThrow();
  const job = before.job_id === null ? undefined : await lockJob(tx, before.job_id);
  const isWanted = job !== undefined && job.error !== cancelledError;
  const booked = await tx
    .updateTable('cloud_tasks')
    .set({ task_id: taskId, state: isWanted ? 'running' : 'cancelling', settled_at: null })
    .where('id', '=', id)
    // Another process may have received the same id and have ended the task already.
    .where('state', 'in', ['asking', 'lost'])
    .returningAll()
    .executeTakeFirst();
  return booked ?? tx.selectFrom('cloud_tasks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Records how a task ended, unless it is being cancelled. */
export async function settleTask(
  db: Db,
  id: string,
  state: 'done' | 'failed' | 'cancelled' | 'lost',
  now: Date,
): Promise<void> {
  await db
    .updateTable('cloud_tasks')
    .set({ state, settled_at: now })
    .where('id', '=', id)
    .where('state', 'in', ['asking', 'running', 'done'])
    .execute();
}

/** Returns all tasks of jobs, oldest first. */
export function listTasks(db: Db, jobIds: readonly string[]): Promise<CloudTaskRow[]> {
  return db
    .selectFrom('cloud_tasks')
    .selectAll()
    .where(sql<boolean>`job_id = any(${jobIds}::uuid[])`)
    .orderBy('asked_at')
    .orderBy('id')
    .execute();
}

/** Returns the job of a task of this user, or null. */
export async function findJobOfTask(db: Db, userId: number, taskId: string): Promise<string | null> {
  const row = await db
    .selectFrom('cloud_tasks')
    .select('job_id')
    .where('user_id', '=', userId)
    .where('task_id', '=', taskId)
    .where('job_id', 'is not', null)
    .orderBy('asked_at', 'desc')
    .limit(1)
    .executeTakeFirst();
  return row?.job_id ?? null;
}

/** Returns the minutes of an account that tasks of this studio have spent. */
export async function sumSpentMinutes(db: Db, account: string): Promise<number> {
  const row = await db
    .selectFrom('cloud_tasks')
    .select(sql<number>`coalesce(sum(minutes), 0)::float8`.as('minutes'))
    .where('account', '=', account)
    .where('state', 'in', spent)
    .executeTakeFirstOrThrow();
  return row.minutes;
}

/**
 * Reserves the next time slot for a status request of an account. Returns the wait until then in ms. Slots are
 * `gapSeconds` apart across all processes.
 */
export async function reserveCheck(db: Db, account: string, gapSeconds: number): Promise<number> {
  const { rows } = await sql<{ wait_ms: number }>`
    insert into cloud_accounts as a (account, next_check_at)
    values (${account}, clock_timestamp() + make_interval(secs => ${gapSeconds}))
    on conflict (account) do update
      set next_check_at = greatest(a.next_check_at, clock_timestamp()) + make_interval(secs => ${gapSeconds})
    returning (extract(epoch from next_check_at - clock_timestamp()) - ${gapSeconds}::float8) * 1000 as wait_ms`.execute(
    db,
  );
  return Math.max(0, rows[0]?.wait_ms ?? 0);
}

/** Blocks status requests of an account for this many seconds. */
export async function pauseChecks(db: Db, account: string, seconds: number): Promise<void> {
  await sql`
    insert into cloud_accounts as a (account, next_check_at)
    values (${account}, clock_timestamp() + make_interval(secs => ${seconds}))
    on conflict (account) do update set next_check_at = greatest(a.next_check_at, excluded.next_check_at)`.execute(
    db,
  );
}

/** Records the result of a separation. */
export async function insertResult(
  tx: Tx,
  row: { jobId: string; residualDb: number | null; warnings: readonly string[] },
): Promise<void> {
  await tx
    .insertInto('cloud_results')
    .values({
      job_id: row.jobId,
      residual_db: row.residualDb,
      warnings: storedTexts.toText([...row.warnings]),
    })
    .execute();
}

/** Returns the result of a separation; undefined while it is running. */
export async function findResult(db: Db, jobId: string): Promise<Selectable<CloudResultsTable> | undefined> {
  const row = await db.selectFrom('cloud_results').selectAll().where('job_id', '=', jobId).executeTakeFirst();
  return row && { ...row, warnings: storedTexts.read(db, row.warnings, jobId) ?? [] };
}

/** Returns a user's tasks at the service, oldest first. */
export function listTasksOf(
  db: Db,
  userId: number,
): Promise<Pick<CloudTaskRow, 'job_id' | 'stem_types' | 'minutes' | 'state' | 'asked_at' | 'account'>[]> {
  return db
    .selectFrom('cloud_tasks')
    .select(['job_id', 'stem_types', 'minutes', 'state', 'asked_at', 'account'])
    .where('user_id', '=', userId)
    .orderBy('asked_at')
    .execute();
}
