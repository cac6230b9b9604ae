export { recordAudit } from './audit.store.ts';
export type { AuditEntry } from './audit-entry.ts';
