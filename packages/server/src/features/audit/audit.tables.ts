import type { Generated } from 'kysely';
import type { Json } from '../../platform/db/column-types.ts';

/** Table of the audit log. The database permits only insertions. */
export interface AuditLogTable {
  id: Generated<number>;
  action: string;
  actor_user_id: number | null;
  target_user_id: number | null;
  details: Json<Record<string, unknown>>;
  /** Start time of the transaction that wrote it. */
  created_at: Generated<Date>;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    audit_log: AuditLogTable;
  }
}
