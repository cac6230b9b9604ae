import type { TimelineContent } from '../../canvas/timeline-canvas.ts';

/** What positions snap to. */
export const snapKinds = ['bar', 'beat', 'section', 'off'] as const;
/** One of {@link snapKinds}. */
export type SnapKind = (typeof snapKinds)[number];

/** Step of the arrow keys without snapping, in ms. */
const FREE_STEP_MS = 100;

/** Returns the positions that a kind of snapping uses, in ms, in order; empty for none. */
export function snapMarks(kind: SnapKind, content: TimelineContent): number[] {
  if (kind === 'off') return [];
  const seconds =
    kind === 'beat'
      ? content.beats
      : kind === 'bar'
        ? content.downbeats
        : content.sections.flatMap(({ start, end }) => [start, end]);
  return [...new Set(seconds.map((at) => Math.round(at * 1000)))].toSorted((one, other) => one - other);
}

/** Returns the nearest mark to a position, within the timeline; the position itself if there are no marks. */
export function snapped(ms: number, marks: readonly number[]): number {
  let nearest = Math.max(0, Math.round(ms));
  let distance = Number.POSITIVE_INFINITY;
  for (const mark of marks) {
    const away = Math.abs(mark - ms);
    if (away < distance) {
      distance = away;
      nearest = mark;
    }
  }
  return nearest;
}

/** Returns the next mark after or before a position; without marks a position 100 ms away. */
export function stepped(ms: number, direction: 1 | -1, marks: readonly number[]): number {
  if (marks.length === 0) return Math.max(0, ms + direction * FREE_STEP_MS);
  if (direction > 0) return marks.find((mark) => mark > ms) ?? ms;
  return marks.findLast((mark) => mark < ms) ?? 0;
}
