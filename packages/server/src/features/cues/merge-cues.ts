import { cueColors } from '@stem-studio/contract/resources/cue';
import { type BeatLookup, beatLookupOf } from '@stem-studio/dsp/rhythm/grid/beat-lookup';
import type { CuePlan } from '@stem-studio/dsp/structure/cues/cue-plan';
import type { TrackGrid } from '../analysis/index.ts';
import type { CueRow } from './cues.tables.ts';

/** Fields of a cue point that a plan determines. */
export type PlannedFields = Pick<
  CueRow,
  'kind' | 'label' | 'position_ms' | 'beat' | 'bar' | 'loop_beats' | 'color' | 'rank' | 'confidence'
>;

/** Changes that turn the stored cue points of a track into those of a new plan. */
export interface CueMerge {
  readonly inserted: readonly PlannedFields[];
  readonly updated: readonly { readonly id: string; readonly change: Partial<PlannedFields> }[];
  readonly removedIds: readonly string[];
}

/** Returns the beat and bar of a position, counted from 1; nulls if it belongs to no beat. */
export function gridPositionOf(
  grid: BeatLookup,
  positionMs: number,
): { readonly beat: number | null; readonly bar: number | null } {
  const at = grid.beatNear(positionMs / 1000);
  return at === null ? { beat: null, bar: null } : { beat: at + 1, bar: (grid.barOf[at] ?? -1) + 1 };
}

/**
 * Merges stored cue points with a new plan. Cues changed by the owner (promoted, renamed, re-coloured, deleted) keep
 * their name, colour and position and absorb the planned cue of the same beat. Manual cues are kept beside the plan.
 * Unchanged cues are moved onto the plan under their ids, or removed. The beats are those of the new analysis.
 *
 * @param rows all cue points of the track, including deleted ones
 */
export function mergeCues(rows: readonly CueRow[], ground: TrackGrid, plan: CuePlan): CueMerge {
  const grid = beatLookupOf(ground);
  const planned = new Map(plan.cues.map(plannedFields).map((cue) => [keyOf(cue), cue]));
  const updated: { id: string; change: Partial<PlannedFields> }[] = [];
  const removedIds: string[] = [];
  const take = (key: string): PlannedFields | undefined => {
    const cue = planned.get(key);
    planned.delete(key);
    return cue;
  };
  // Changed ones first, so that no other cue takes their position.
  for (const row of rows.toSorted((left, right) => Number(isTouched(right)) - Number(isTouched(left)))) {
    const gridPosition = gridPositionOf(grid, row.position_ms);
    const key = keyOf({ ...gridPosition, position_ms: row.position_ms });
    const isOwn = row.source === 'manual' && !row.is_promoted;
    const cue = isOwn ? undefined : take(key);
    if (isTouched(row)) {
      const change = { ...gridPosition, rank: cue?.rank ?? null, confidence: cue?.confidence ?? null };
      updated.push({ id: row.id, change });
    } else if (cue) {
      updated.push({ id: row.id, change: cue });
    } else {
      removedIds.push(row.id);
    }
  }
  return { inserted: [...planned.values()], updated, removedIds };
}

function isTouched(row: CueRow): boolean {
  return row.source === 'manual' || row.is_edited || row.deleted_at !== null;
}

function plannedFields(cue: CuePlan['cues'][number]): PlannedFields {
  return {
    kind: cue.kind,
    label: cue.label,
    position_ms: Math.round(cue.seconds * 1000),
    beat: cue.beat,
    bar: cue.bar,
    loop_beats: cue.loopBeats,
    color: cueColors[cue.kind],
    rank: cue.rank,
    confidence: cue.confidence,
  };
}

/** Returns a key that is equal for equal positions. */
function keyOf(position: Pick<CueRow, 'beat' | 'position_ms'>): string {
  return position.beat === null ? `at ${position.position_ms}` : `beat ${position.beat}`;
}
