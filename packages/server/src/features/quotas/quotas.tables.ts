/** Limits of one user; null is the default of the settings, 0 is no limit. */
export interface UserQuotasTable {
  user_id: number;
  storage_bytes: number | null;
  tracks: number | null;
  queued_jobs: number | null;
  stem_sets: number | null;
}

/** Changes of what a user stores: their sum is what is stored. */
export interface StorageChangesTable {
  user_id: number;
  bytes: number;
  stem_sets: number;
}

/** Changes of how many live tracks a user has, written by triggers of the tracks. */
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
