import type { CueKind } from '@stem-studio/contract/resources/cue';
import type { Selectable } from 'kysely';
import type { MaybeMoment, Moment } from '../../platform/db/column-types.ts';

/** Table of cue points, including deleted ones, so that a detected and deleted cue is not created again. */
export interface CuePointsTable {
  id: string;
  track_id: string;
  kind: CueKind;
  label: string;
  position_ms: number;
  beat: number | null;
  bar: number | null;
  loop_beats: number | null;
  color: string;
  source: 'auto' | 'manual';
  /** Usefulness rank, 1 being the best of all detected cues; null if absent from the newest plan. */
  rank: number | null;
  confidence: number | null;
  is_edited: boolean;
  is_promoted: boolean;
  created_at: Moment;
  updated_at: Moment;
  deleted_at: MaybeMoment;
}

/** A row of {@link CuePointsTable}. */
export type CueRow = Selectable<CuePointsTable>;

/** Time of the last cue placement of a track, and the reason for few cues. */
export interface CuePlansTable {
  track_id: string;
  reason: string | null;
  placed_at: Moment;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    cue_points: CuePointsTable;
    cue_plans: CuePlansTable;
  }
}
