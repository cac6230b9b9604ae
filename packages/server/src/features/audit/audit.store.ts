import type { Db, Tx } from '../../platform/db/database.ts';
import type { AuditEntry } from './audit-entry.ts';

/**
 * Writes `entry` into the audit log within the transaction of the recorded change, so that both commit or neither.
 * The database prevents later changes or deletion.
 *
 * @spec Audit log
 */
export async function recordAudit(tx: Tx, entry: AuditEntry): Promise<void> {
  await tx
    .insertInto('audit_log')
    .values({
      action: entry.action,
      actor_user_id: entry.actor_user_id,
      target_user_id: entry.target_user_id,
      details: JSON.stringify(entry.details),
    })
    .execute();
}

/** Returns the entries about a user, oldest first. */
export async function listAuditOf(
  db: Db,
  userId: number,
): Promise<{ readonly action: string; readonly details: unknown; readonly created_at: string }[]> {
  const rows = await db
    .selectFrom('audit_log')
    .select(['action', 'details', 'created_at'])
    .where('target_user_id', '=', userId)
    .orderBy('id')
    .execute();
  return rows.map((row) => ({ ...row, created_at: row.created_at.toISOString() }));
}
