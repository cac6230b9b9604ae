import { editBounds } from '@stem-studio/contract/limits';
import type { Edit, FadeCurve } from '@stem-studio/contract/resources/edit-operation';
import type { Clip, ProjectState } from '@stem-studio/contract/resources/project';
import type { Selection } from './selection.ts';

/** Length of a fade that is chosen from a menu, in ms. */
const NEW_FADE_MS = 1000;

/** What the fields of the selection change: clips, or a span of lanes. */
export interface EditTarget {
  readonly clips: readonly Clip[];
  /** Parameters that name it. */
  readonly params:
    | { readonly clip_ids: string[] }
    | { readonly start_ms: number; readonly end_ms: number; readonly lanes?: string[] };
}

/** Returns what is selected; null without a selection that has clips. */
export function targetOf({ lanes }: ProjectState, selection: Selection): EditTarget | null {
  const { span } = selection;
  const isAll = selection.lanes.length === 0;
  const onLanes = lanes.filter(({ id }) => isAll || selection.lanes.includes(id));
  const all = onLanes.flatMap(({ clips }) => clips);
  if (selection.clips.length > 0) {
    const clips = all.filter(({ id }) => selection.clips.includes(id));
    return clips.length === 0 ? null : { clips, params: { clip_ids: clips.map(({ id }) => id) } };
  }
  if (!span) return null;
  const clips = all.filter(
    ({ start_ms, length_ms }) => start_ms < span.endMs && start_ms + length_ms > span.startMs,
  );
  const named = isAll || onLanes.length === lanes.length ? {} : { lanes: onLanes.map(({ id }) => id) };
  return clips.length === 0
    ? null
    : { clips, params: { start_ms: span.startMs, end_ms: span.endMs, ...named } };
}

/** Returns the value that all clips have; null if they differ. */
export function commonOf<T>(clips: readonly Clip[], of: (clip: Clip) => T): T | null {
  const [first] = clips;
  return first && clips.every((clip) => of(clip) === of(first)) ? of(first) : null;
}

/** Returns the operation that gives clips a fade of a curve; those that have one keep its length. */
export function fadeEdit(
  clips: readonly Clip[],
  side: 'fade_in' | 'fade_out',
  curve: FadeCurve | 'none',
): Edit {
  const shape = curve === 'none' ? { end_ms: 0 } : { end_ms: NEW_FADE_MS, curve };
  return { operation: side, params: { start_ms: 0, ...shape, clip_ids: clips.map(({ id }) => id) } };
}

/** How a warp to a tempo is done: one factor for all, or each beat on the grid. */
export type WarpKind = 'stretch' | 'straighten';

/** Beats and tempo from which a warp is calculated. */
export interface WarpRequest {
  readonly kind: WarpKind;
  /** Beats on the timeline within what is warped, in ms. */
  readonly beatsMs: readonly number[];
  readonly bpm: number;
}

/** Returns the tempo of beats, in beats per minute; null for fewer than two. */
export function tempoOf(beatsMs: readonly number[]): number | null {
  const [first] = beatsMs;
  const last = beatsMs.at(-1);
  if (first === undefined || last === undefined || last <= first) return null;
  return (60_000 * (beatsMs.length - 1)) / (last - first);
}

/**
 * Returns the points that bring beats to a tempo, the first one staying in its position; null where there are too few
 * beats, or a part would play faster or slower than it may.
 */
export function warpPoints({ kind, beatsMs, bpm }: WarpRequest) {
  const [first] = beatsMs;
  const last = beatsMs.at(-1);
  if (first === undefined || last === undefined || beatsMs.length < 2) return null;
  const beatMs = 60_000 / bpm;
  const shown = kind === 'straighten' ? beatsMs : [first, last];
  const points = shown.map((from_ms) => ({
    from_ms,
    to_ms:
      first +
      (kind === 'straighten' ? beatsMs.indexOf(from_ms) : from_ms === first ? 0 : beatsMs.length - 1) *
        beatMs,
  }));
  const isPlayable = points.slice(1).every(({ from_ms, to_ms }, index) => {
    const before = points[index];
    const rate = before ? (from_ms - before.from_ms) / (to_ms - before.to_ms) : 1;
    return rate >= editBounds.leastRate && rate <= editBounds.mostRate;
  });
  return isPlayable && points.length <= editBounds.warpPoints ? points : null;
}
