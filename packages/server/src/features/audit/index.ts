export { listAuditOf, recordAudit } from './audit.store.ts';
