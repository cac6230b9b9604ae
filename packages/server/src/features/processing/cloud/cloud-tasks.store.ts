import { cancelledError } from '@stem-studio/contract/resources/job';
import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../../platform/db/database.ts';
import type { JobRow } from '../../../platform/db/platform-tables.ts';
import { storedTexts } from '../../../platform/db/stored-texts.ts';
import { keepUser } from '../../users/index.ts';
import type { CloudResultsTable, CloudTasksTable, CloudUploadsTable } from '../processing.tables.ts';

/** A task at the cloud service, and its entry in the ledger. */
export type CloudTaskRow = Selectable<CloudTasksTable>;
/** Sound that lies at the service. */
export type CloudUploadRow = Selectable<CloudUploadsTable>;

/** States in which a task's minutes are spent. What failed or was cancelled gave nothing and costs nothing. */
const spent = ['running', 'done', 'cancelling', 'lost'] as const;
/** States in which a task is of use to whoever takes the job up. */
const usable = ['asking', 'running', 'done'] as const;

/** Which sound was sent with whose key. */
export type UploadedSound = Pick<CloudUploadRow, 'user_id' | 'audio_source_id' | 'is_preview' | 'account'>;

/** The newest of this sound that lies at the service until `until` at least; undefined where there is none. */
export function findUpload(db: Db, sound: UploadedSound, until: Date): Promise<CloudUploadRow | undefined> {
  return db
    .selectFrom('cloud_uploads')
    .selectAll()
    .where('user_id', '=', sound.user_id)
    .where('audio_source_id', '=', sound.audio_source_id)
    .where('is_preview', '=', sound.is_preview)
    .where('account', '=', sound.account)
    .where('expires_at', '>', until)
    .orderBy('created_at', 'desc')
    .limit(1)
    .executeTakeFirst();
}

/** Remembers sound that was sent. */
export async function insertUpload(db: Db, row: CloudUploadRow): Promise<void> {
  await db.insertInto('cloud_uploads').values(row).execute();
}

/** The sound lies at the service no longer: nobody finds it here. */
export async function voidUpload(db: Db, id: string, now: Date): Promise<void> {
  await db.updateTable('cloud_uploads').set({ expires_at: now }).where('id', '=', id).execute();
}

/** Forgets sound that has run out; its tasks stay in the ledger. */
export async function deleteExpiredUploads(db: Db, now: Date): Promise<void> {
  await db.deleteFrom('cloud_uploads').where('expires_at', '<', now).execute();
}

/** A job, and the sound that it is about now: its track may have been given another since it began. */
interface JobOnSound {
  readonly id: string;
  readonly soundId: string;
}

/** Tasks of an account that a job can use: its own of its sound, and those of the same upload whose jobs are over. */
function usableTasks(
  db: Db,
  of: { readonly account: string; readonly uploadId: string | null; readonly job: JobOnSound | null },
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
                // An upload that is forgotten does not say of which sound it was.
                eb.or([
                  eb('cloud_uploads.id', 'is', null),
                  eb('cloud_uploads.audio_source_id', '=', of.job.soundId),
                ]),
              ]),
            ]),
        ...(of.uploadId === null ? [] : [eb.and([eb('upload_id', '=', of.uploadId), isOver])]),
      ]);
    })
    .orderBy('asked_at', 'desc');
}

/** Tasks of a sound that are paid, and that a new job could use. */
export function listPaidTasks(db: Db, account: string, uploadId: string): Promise<CloudTaskRow[]> {
  return usableTasks(db, { account, uploadId, job: null }).where('state', '!=', 'asking').execute();
}

/** Makes the tasks with these names that a job can use its own; of several of one name the newest. */
export async function adoptTasks(
  tx: Tx,
  of: { readonly account: string; readonly uploadId: string | null; readonly job: JobOnSound },
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
      // One that is being ended in this moment is of no use.
      .where('state', 'in', usable)
      .returningAll()
      .execute()
  );
}

/** Whether a job has tasks under way that another key has paid for. */
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
 * Writes a task down before the service is asked for it; undefined, and nothing is to be asked, where its job is over.
 * The job stays as it is until the transaction ends.
 */
export async function insertTask(
  tx: Tx,
  row: Omit<CloudTaskRow, 'task_id' | 'state' | 'settled_at' | 'cancel_claimed_until'> & {
    user_id: number;
    job_id: string;
  },
): Promise<CloudTaskRow | undefined> {
  // In the order in which the deletion of an account locks them.
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

/** A job as it stands, kept from being cancelled until the transaction ends; undefined where it is gone. */
function lockJob(tx: Tx, id: string): Promise<Pick<JobRow, 'finished_at' | 'error'> | undefined> {
  return tx
    .selectFrom('jobs')
    .select(['finished_at', 'error'])
    .where('id', '=', id)
    .forShare()
    .executeTakeFirst();
}

/** Books a task that the service has taken; where its job was cancelled or is gone, the task is to be ended there. */
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
    // Somebody else may have been told the same id, and have ended the task already.
    .where('state', 'in', ['asking', 'lost'])
    .returningAll()
    .executeTakeFirst();
  return booked ?? tx.selectFrom('cloud_tasks').selectAll().where('id', '=', id).executeTakeFirstOrThrow();
}

/** Writes down how a task ended, unless it is being cancelled. */
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

/** All tasks of jobs, the oldest first. */
export function listTasks(db: Db, jobIds: readonly string[]): Promise<CloudTaskRow[]> {
  return db
    .selectFrom('cloud_tasks')
    .selectAll()
    .where(sql<boolean>`job_id = any(${jobIds}::uuid[])`)
    .orderBy('asked_at')
    .orderBy('id')
    .execute();
}

/** The job that a task of this user's belongs to, or null. */
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

/** Minutes that tasks of this studio have spent of an account. */
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
 * Takes the next turn to ask the service how far tasks of an account are; answers how long it is until then. Turns are
 * `gapSeconds` apart, whichever process takes them.
 */
export async function takeCheckTurn(db: Db, account: string, gapSeconds: number): Promise<number> {
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

/** Nobody takes a turn at this account for so long. */
export async function pauseChecks(db: Db, account: string, seconds: number): Promise<void> {
  await sql`
    insert into cloud_accounts as a (account, next_check_at)
    values (${account}, clock_timestamp() + make_interval(secs => ${seconds}))
    on conflict (account) do update set next_check_at = greatest(a.next_check_at, excluded.next_check_at)`.execute(
    db,
  );
}

/** Writes down what became of a separation. */
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

/** What became of a separation; undefined while it is under way. */
export async function findResult(db: Db, jobId: string): Promise<Selectable<CloudResultsTable> | undefined> {
  const row = await db.selectFrom('cloud_results').selectAll().where('job_id', '=', jobId).executeTakeFirst();
  return row && { ...row, warnings: storedTexts.read(db, row.warnings, jobId) ?? [] };
}

/** What a user has asked of the service, the oldest first. */
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
