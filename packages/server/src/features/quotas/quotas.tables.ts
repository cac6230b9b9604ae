/** Limits of one user; null is the default of the settings, 0 is no limit. */
export interface UserQuotasTable {
  user_id: number;
  storage_bytes: number | null;
  tracks: number | null;
  queued_jobs: number | null;
  stem_sets: number | null;
}

/** Bytes charged for a track; written by triggers, except for uploads that are not prepared yet. */
export interface TrackStorageTable {
  track_id: string;
  user_id: number;
  sound_bytes: number;
  stem_bytes: number;
  stem_sets: number;
}

/** Changes of what a user stores: their sum is what is stored. */
export interface StorageChangesTable {
  user_id: number;
  bytes: number;
  stem_sets: number;
}
