import type {
  BusMessagesTable,
  DiskReservationsTable,
  FoldersToDeleteTable,
  IdempotentRepliesTable,
  JobsTable,
  QueueFlowsTable,
  QueueLinesTable,
  RateLimitsTable,
  StorageIdentityTable,
} from './platform-tables.ts';

/**
 * All tables of the service by name. Those of the platform are listed here. Each feature adds its own in a
 * `*.tables.ts` file, by declaration merging: `declare module '../../platform/db/tables.ts' { interface Tables { … }
 * }`.
 */
export interface Tables {
  jobs: JobsTable;
  queue_lines: QueueLinesTable;
  queue_flows: QueueFlowsTable;
  rate_limits: RateLimitsTable;
  folders_to_delete: FoldersToDeleteTable;
  storage_identity: StorageIdentityTable;
  bus_messages: BusMessagesTable;
  idempotent_replies: IdempotentRepliesTable;
  disk_reservations: DiskReservationsTable;
}
