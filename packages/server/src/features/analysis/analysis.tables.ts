import type { GridStepName } from '@stem-studio/contract/resources/beat-grid';
import type { ColumnType } from 'kysely';
import type { Json, Moment } from '../../platform/db/column-types.ts';

/** Table of analysis results as detected. */
export interface AnalysesTable {
  job_id: string;
  track_id: string;
  result: Json<Record<string, unknown>>;
  /** Audio that was analysed; null for results of audio that was replaced before this was recorded. */
  audio_source_id: string | null;
  created_at: Moment;
}

/** Table of beat grids that their owner edited or locked. */
export interface BeatGridsTable {
  track_id: string;
  /** Version, incremented by every change. */
  version: number;
  /** Number of the current step; 0 stands for the detected beats. */
  step_index: number;
  is_locked: boolean;
  /** Job of the analysis whose beats are current while the grid is locked without a step. */
  locked_job_id: string | null;
  /** Audio source for which the grid was set. */
  audio_source_id: string | null;
  edited_at: Moment;
}

/** Table of the edit history of beat grids, in order. */
export interface BeatGridStepsTable {
  track_id: string;
  step_index: number;
  name: GridStepName;
  /** Rule of the grid, parsed on read; null if the detected beats are in use. */
  grid: ColumnType<Record<string, unknown> | null, string | null, string | null>;
  /** Job of the analysis that detected the beats to which the rule refers. */
  detected_job_id: string | null;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    analyses: AnalysesTable;
    beat_grids: BeatGridsTable;
    beat_grid_steps: BeatGridStepsTable;
  }
}
