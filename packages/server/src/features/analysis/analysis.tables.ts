import type { GridStepName } from '@stem-studio/contract/resources/beat-grid';
import type { ColumnType } from 'kysely';
import type { Json, Moment } from '../../platform/db/column-types.ts';

/** What an analysis found, as it was found. */
export interface AnalysesTable {
  job_id: string;
  track_id: string;
  result: Json<Record<string, unknown>>;
  created_at: Moment;
}

/** Whose beats a track goes by, where its owner touched them. */
export interface BeatGridsTable {
  track_id: string;
  /** Grows with every change. */
  version: number;
  /** The step that holds; 0 for what was heard. */
  place: number;
  is_locked: boolean;
  /** The analysis whose beats hold while the grid is locked and no step holds. */
  locked_job_id: string | null;
  /** The sound that it was set for. */
  audio_source_id: string | null;
  edited_at: Moment;
}

/** What was done to a beat grid, in order. */
export interface BeatGridStepsTable {
  track_id: string;
  place: number;
  name: GridStepName;
  /** Rule of the grid, parsed on read; null where the detected beats are in use. */
  grid: ColumnType<Record<string, unknown> | null, string | null, string | null>;
  /** The analysis whose beats a grid that follows them goes by. */
  heard_job_id: string | null;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    analyses: AnalysesTable;
    beat_grids: BeatGridsTable;
    beat_grid_steps: BeatGridStepsTable;
  }
}
