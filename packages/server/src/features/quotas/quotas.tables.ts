/** Table of individual limits of users; null is the configured default, 0 is no limit. */
export interface UserQuotasTable {
  user_id: number;
  storage_bytes: number | null;
  tracks: number | null;
  queued_jobs: number | null;
  stem_sets: number | null;
}

/** Table of changes to each user's stored bytes; their sum is the stored size. */
export interface StorageChangesTable {
  user_id: number;
  bytes: number;
  stem_sets: number;
}

/** Table of changes to each user's track count, written by triggers on the tracks. */
export interface TrackCountsTable {
  user_id: number;
  change: number;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    user_quotas: UserQuotasTable;
    storage_changes: StorageChangesTable;
    track_counts: TrackCountsTable;
  }
}
