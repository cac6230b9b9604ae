import { type Selectable, sql } from 'kysely';
import type { Db, Tx } from '../../platform/db/database.ts';
import type { CatalogScansTable } from './catalog.tables.ts';

/** The latest scan of the catalog folder, finished or running. */
export type CatalogScanRow = Omit<Selectable<CatalogScansTable>, 'id'>;

const scanLock = 73_273_931;

/**
 * Runs `work` unless another process of the service scans the folder; returns false in that case. The lock belongs to a
 * database connection, so that it is released when the process dies.
 */
export function holdScanLock(db: Db, work: () => Promise<void>): Promise<boolean> {
  return db.connection().execute(async (connection) => {
    const { rows } = await sql<{ ok: boolean }>`select pg_try_advisory_lock(${scanLock}) as ok`.execute(
      connection,
    );
    if (rows[0]?.ok !== true) return false;
    try {
      await work();
      return true;
    } finally {
      // A broken connection has released the lock already.
      await sql`select pg_advisory_unlock(${scanLock})`.execute(connection).catch(() => undefined);
    }
  });
}

/** Stores the progress of a scan. */
export async function saveScan(db: Db | Tx, row: CatalogScanRow): Promise<void> {
  await db
    .insertInto('catalog_scans')
    .values({ id: 1, ...row })
    .onConflict((conflict) => conflict.column('id').doUpdateSet(row))
    .execute();
}

/** Returns the latest scan, or undefined before the first. */
export function findScan(db: Db): Promise<CatalogScanRow | undefined> {
  return db.selectFrom('catalog_scans').selectAll().where('id', '=', 1).executeTakeFirst();
}
