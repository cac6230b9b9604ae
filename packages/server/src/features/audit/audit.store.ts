import type { Tx } from '../../platform/db/database.ts';
import type { AuditEntry } from './audit-entry.ts';

/**
 * Writes `entry` into the audit log in the transaction of what it tells of: neither stands without the other. The
 * database refuses to change or remove it afterwards.
 *
 * @spec Audit log entry
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
