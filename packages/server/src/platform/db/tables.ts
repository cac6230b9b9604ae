import type {
  BusMessagesTable,
  DiskReservationsTable,
  DoomedFoldersTable,
  FirstAnswersTable,
  JobsTable,
  QueueFlowsTable,
  QueueLinesTable,
  RateLimitsTable,
  StorageIdentityTable,
} from './platform-tables.ts';

/**
 * Every table of the service by name. The platform's stand here; each feature adds its own in `*.tables.ts` of its
 * folder, by declaration merging: `declare module '../../platform/db/tables.ts' { interface Tables { … } }`.
 */
export interface Tables {
  jobs: JobsTable;
  queue_lines: QueueLinesTable;
  queue_flows: QueueFlowsTable;
  rate_limits: RateLimitsTable;
  doomed_folders: DoomedFoldersTable;
  storage_identity: StorageIdentityTable;
  bus_messages: BusMessagesTable;
  first_answers: FirstAnswersTable;
  disk_reservations: DiskReservationsTable;
}
