import type { Cue } from '@stem-studio/contract/resources/cue';
import type { CueRow } from './cues.tables.ts';

/** Returns a cue point as the API presents it, with its rank among the visible ones. */
export function presentCue(row: CueRow, rank: number | null = row.rank): Cue {
  const { deleted_at: _deleted, ...cue } = row;
  return {
    ...cue,
    rank,
    created_at: row.created_at.toISOString(),
    updated_at: row.updated_at.toISOString(),
  };
}

/** Tells whether two positions are equal: the same beat, or the same time if they have no beat. */
export function isSamePosition(
  one: Pick<CueRow, 'beat' | 'position_ms'>,
  other: Pick<CueRow, 'beat' | 'position_ms'>,
): boolean {
  if (one.beat === null || other.beat === null) return one.position_ms === other.position_ms;
  return one.beat === other.beat;
}

/**
 * Returns the visible cue points of a track in ascending order. An auto cue on the beat of a manual one is hidden,
 * and the ranks of the others are renumbered from 1.
 */
export function presentCues(rows: readonly CueRow[]): Cue[] {
  const live = rows.filter((row) => row.deleted_at === null);
  const manual = live.filter((row) => row.source === 'manual');
  const shown = live.filter(
    (row) => row.source === 'manual' || !manual.some((other) => isSamePosition(row, other)),
  );
  const ranked = shown
    .filter((row) => row.rank !== null)
    .toSorted((left, right) => (left.rank ?? 0) - (right.rank ?? 0));
  const ranks = new Map(ranked.map((row, index) => [row.id, index + 1]));
  return shown
    .toSorted((left, right) => left.position_ms - right.position_ms)
    .map((row) => presentCue(row, ranks.get(row.id) ?? null));
}
