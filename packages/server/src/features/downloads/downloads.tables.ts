import type { Generated } from 'kysely';
import type { MaybeMoment, Moment } from '../../platform/db/column-types.ts';

/** Search results of the download tool for a track. */
export interface SourceCandidatesTable {
  track_id: string;
  id: string;
  position: number;
  url: string;
  title: string;
  channel: string;
  duration_ms: number | null;
  wanted_ms: number;
  score: number;
  is_chosen: boolean;
  found_at: Moment;
}

/** Imports of albums and playlists into a library. */
export interface ImportsTable {
  id: string;
  user_id: number;
  type: 'album' | 'playlist';
  title: string;
  total: number;
  completed: Generated<number>;
  failed: Generated<number>;
  created_at: Moment;
  cancelled_at: MaybeMoment;
  finished_at: MaybeMoment;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    source_candidates: SourceCandidatesTable;
    imports: ImportsTable;
  }
}
