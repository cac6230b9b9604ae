import type { CueKind } from '@stem-studio/contract/resources/cue';
import type { Selectable } from 'kysely';
import type { MaybeMoment, Moment } from '../../platform/db/column-types.ts';

/** Places in tracks to jump to, deleted ones too: what was found and deleted is not to be found again. */
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
  /** 1 for the most useful of all that were found; null for what the newest plan says nothing about. */
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

/** When the cue points of a track were last placed, and why they are few. */
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
