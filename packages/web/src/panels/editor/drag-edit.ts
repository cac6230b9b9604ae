import { editBounds } from '@stem-studio/contract/limits';
import type { Edit } from '@stem-studio/contract/resources/edit-operation';
import type { Clip, ProjectState } from '@stem-studio/contract/resources/project';
import { snapped } from './snap.ts';

/** A drag of a clip or one of its parts, from where it began. */
export interface ClipDrag {
  readonly part: 'title' | 'start' | 'end' | 'fade_in' | 'fade_out' | 'onset';
  readonly clip: Clip;
  /** Lane of the clip. */
  readonly lane: string;
  /** Clips that move together; the dragged one is among them. */
  readonly clips: readonly string[];
  readonly fromMs: number;
  /** For an onset: positions on the timeline that stay, in ms, beside the ends of the clip. */
  readonly fixedMs?: readonly number[];
  /** Whether a drag of an edge changes the tempo instead of the part that plays. */
  readonly isStretch?: boolean;
}

/** Returns the start of the earliest of some clips, in ms. */
function earliestOf({ lanes }: ProjectState, clipIds: readonly string[]): number {
  const starts = lanes.flatMap(({ clips }) =>
    clips.filter(({ id }) => clipIds.includes(id)).map(({ start_ms }) => start_ms),
  );
  return Math.min(...starts);
}

/**
 * Returns the operation of a drag that has reached a position; null while it changes nothing.
 *
 * @param lane lane under the pointer; a single clip moves to it
 * @param marks positions that edges of clips snap to, in ms
 */
export function dragEdit(
  state: ProjectState,
  { part, clip, lane: from, clips, fromMs, isStretch = false, fixedMs = [] }: ClipDrag,
  toMs: number,
  lane: string,
  marks: readonly number[],
): Edit | null {
  const { start_ms, length_ms } = clip;
  const end = start_ms + length_ms;
  if (part === 'title') {
    const earliest = earliestOf(state, clips);
    const moved = snapped(start_ms + toMs - fromMs, marks);
    const to_ms = Math.max(0, earliest + moved - start_ms);
    const isElsewhere = clips.length === 1 && lane !== from;
    if (to_ms === earliest && !isElsewhere) return null;
    const target = isElsewhere ? { stem_type: lane } : {};
    return { operation: 'move', params: { clip_ids: [...clips], to_ms, ...target } };
  }
  const at = snapped(toMs, marks);
  if (part === 'onset') return onsetEdit(clip, fixedMs, fromMs, at);
  if (part === 'start' || part === 'end') {
    const span =
      part === 'start'
        ? { start_ms: Math.min(at, end - 1), end_ms: end }
        : { start_ms, end_ms: Math.max(at, start_ms + 1) };
    if (span.start_ms === start_ms && span.end_ms === end) return null;
    if (isStretch) return stretchEdit(clip, span);
    return { operation: 'trim', params: { ...span, clip_id: clip.id } };
  }
  const inside = Math.round(Math.min(end, Math.max(start_ms, toMs)));
  const span = part === 'fade_in' ? { start_ms, end_ms: inside } : { start_ms: inside, end_ms: end };
  if (span.end_ms - span.start_ms === clip[part].length_ms) return null;
  return { operation: part, params: { ...span, clip_id: clip.id, curve: clip[part].curve } };
}

/** Returns the operation that stretches a clip over a span, as far as its tempo may change; null if it stays. */
export function stretchEdit(
  { id, start_ms, length_ms }: Clip,
  span: { readonly start_ms: number; readonly end_ms: number },
): Edit | null {
  const { leastRate, mostRate } = editBounds;
  const wanted = span.end_ms - span.start_ms;
  const lengthMs = Math.ceil(Math.min(length_ms / leastRate, Math.max(length_ms / mostRate, wanted)));
  const to = span.start_ms === start_ms ? start_ms : Math.max(0, span.end_ms - lengthMs);
  if (lengthMs === length_ms && to === start_ms) return null;
  const points = [
    { from_ms: start_ms, to_ms: to },
    { from_ms: start_ms + length_ms, to_ms: to + lengthMs },
  ];
  return { operation: 'warp', params: { points, clip_ids: [id] } };
}

/** Least distance of an onset from audio that stays, in ms. */
const LEAST_PART_MS = 1;

/**
 * Returns the operation that moves an onset of a clip to a position of the timeline, as far as the tempo before and after it
 * may change. What is before the nearest fixed position or the start of the clip, and after the next one or its end, stays.
 */
export function onsetEdit(
  { id, start_ms, length_ms }: Clip,
  fixedMs: readonly number[],
  fromMs: number,
  toMs: number,
): Edit | null {
  const { leastRate, mostRate } = editBounds;
  const fixed = [start_ms, ...fixedMs, start_ms + length_ms];
  const before = Math.max(...fixed.filter((ms) => ms <= fromMs - LEAST_PART_MS));
  const after = Math.min(...fixed.filter((ms) => ms >= fromMs + LEAST_PART_MS));
  if (!Number.isFinite(before) || !Number.isFinite(after)) return null;
  const earliest = Math.max(before + (fromMs - before) / mostRate, after - (after - fromMs) / leastRate);
  const latest = Math.min(before + (fromMs - before) / leastRate, after - (after - fromMs) / mostRate);
  const to_ms = Math.min(latest, Math.max(earliest, toMs));
  if (Math.abs(to_ms - fromMs) < 1e-3) return null;
  const points = [
    { from_ms: before, to_ms: before },
    { from_ms: fromMs, to_ms },
    { from_ms: after, to_ms: after },
  ];
  return { operation: 'warp', params: { points, clip_ids: [id] } };
}
