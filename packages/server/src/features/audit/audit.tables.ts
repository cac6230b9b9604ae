import type { Generated } from 'kysely';
import type { Json } from '../../platform/db/column-types.ts';

/** Rows can be inserted, and nothing else: the database refuses. */
export interface AuditLogTable {
  id: Generated<number>;
  action: string;
  actor_user_id: number | null;
  target_user_id: number | null;
  details: Json<Record<string, unknown>>;
  /** The time of the transaction it was written in. */
  created_at: Generated<Date>;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    audit_log: AuditLogTable;
  }
}
