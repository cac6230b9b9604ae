import { sql } from 'kysely';
import type { Context } from '../context.ts';
import type { Connection } from '../db/connection.ts';
import { withBackupConnection } from './backup-connection.ts';
import { BackupError } from './backup-error.ts';

/**
 * Arbitrary lock keys, the same in every process. The first is held by a backup, the second by deletions and by a
 * backup.
 */
const backupLock = 5_380_714_280;
const deletionLock = 5_380_714_281;

const longestWaitSeconds = 300;

/**
 * Runs `work`, which deletes stored files, unless a backup runs. No backup can begin meanwhile. The lock of a backup
 * ends with its connection, however its process ends.
 *
 * @returns the result of `work`, or null if a backup runs and the caller must try again later
 */
export function whileNoBackup<T>(context: Pick<Context, 'db'>, work: () => Promise<T>): Promise<T | null> {
  // The lock belongs to the connection, which is not used for anything else meanwhile.
  return context.db.connection().execute(async (db) => {
    const { rows } = await sql<{ ok: boolean }>`
      select pg_try_advisory_lock_shared(${deletionLock}::bigint) as ok`.execute(db);
    if (!rows[0]?.ok) return null;
    try {
      return await work();
    } finally {
      await sql`select pg_advisory_unlock_shared(${deletionLock}::bigint)`.execute(db);
    }
  });
}

/**
 * Runs a backup or a restore while all processes of the service suspend deletions. Waits for deletions in progress.
 *
 * @throws BackupError if another backup of the same database runs, if deletions do not end, or if the locking
 *   connection was lost, so that files may have been deleted
 */
export async function whileNothingIsDeleted<T>(
  connection: Connection,
  signal: AbortSignal,
  work: () => Promise<T>,
): Promise<T> {
  return withBackupConnection(connection, signal, async (client) => {
    const { rows } = await client.query<{ ok: boolean }>('select pg_try_advisory_lock($1::bigint) as ok', [
      backupLock,
    ]);
    if (!rows[0]?.ok)
      throw new BackupError('another backup or restore of this database is running: wait for its end');
    await client.query(`set lock_timeout to '${longestWaitSeconds}s'`);
    await client.query('select pg_advisory_lock($1::bigint)', [deletionLock]).catch((error: unknown) => {
      signal.throwIfAborted();
      throw (error as { code?: string }).code === '55P03'
        ? new BackupError(`files were being deleted for more than ${longestWaitSeconds} s: try again later`)
        : error;
    });
    const result = await work();
    await client.query('select 1').catch(() => {
      signal.throwIfAborted();
      throw new BackupError('the database connection was lost during the backup: run it again');
    });
    return result;
  });
}
