import type { Moment } from '../../platform/db/column-types.ts';

/** Crates, each of one user. */
export interface CratesTable {
  id: string;
  user_id: number;
  name: string;
  /** Search of a smart crate; null for a list. */
  query: string | null;
  position: number;
  created_at: Moment;
  updated_at: Moment;
}

/** Tracks in crates, in the order of their positions. */
export interface CrateTracksTable {
  crate_id: string;
  track_id: string;
  position: number;
  added_at: Moment;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    crates: CratesTable;
    crate_tracks: CrateTracksTable;
  }
}
