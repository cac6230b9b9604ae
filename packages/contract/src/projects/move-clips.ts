import type { Clip, ProjectState } from '../resources/project.ts';
import { insertOver } from './arrange-clips.ts';
import { type EditSpan, shifted, withFittingFades } from './clip-parts.ts';
import { onTimeline } from './clipboard.ts';
import { withLanes } from './edited-lanes.ts';
import { warpMsAt, warpOf } from './warp.ts';

/** Clips to move and where to. */
export interface ClipMove {
  readonly clip_ids: readonly string[];
  /** New start of the earliest one. */
  readonly to_ms: number;
  /** Lane for all of them; their own ones if absent. */
  readonly stem_type?: string | undefined;
}

/** Returns the state with moved clips, which lie over those that were there. */
export function withMoved(
  state: ProjectState,
  { clip_ids, to_ms, stem_type }: ClipMove,
  newId: () => string,
): ProjectState {
  const ids = new Set(clip_ids);
  const moved = state.lanes.flatMap((lane) =>
    lane.clips.filter(({ id }) => ids.has(id)).map((clip) => ({ clip, lane: lane.id })),
  );
  const target = stem_type ?? null;
  const hasTarget = target === null || state.lanes.some(({ id }) => id === target);
  const offsetMs = to_ms - Math.min(...moved.map(({ clip }) => clip.start_ms));
  const isThere = offsetMs === 0 && moved.every(({ lane }) => target === null || lane === target);
  if (moved.length === 0 || !hasTarget || isThere) return state;
  const arrivals = moved.toSorted((one, other) => one.clip.start_ms - other.clip.start_ms);
  return withLanes(state, (lane) => {
    const staying = lane.clips.filter(({ id }) => !ids.has(id));
    const clips = arrivals
      .filter((arrival) => (target ?? arrival.lane) === lane.id)
      .map(({ clip }) => onTimeline(shifted(clip, offsetMs)))
      .filter((clip) => clip !== null)
      .reduce((others: readonly Clip[], clip) => insertOver(others, clip, newId), staying);
    return { ...lane, clips: [...clips] };
  });
}

/**
 * Returns the state with both ends of a clip moved to those of a span, as far as its source reaches. The clip lies over
 * those that were there; its fades stay at its ends.
 */
export function withClipEnds(
  state: ProjectState,
  clipId: string,
  span: EditSpan,
  newId: () => string,
): ProjectState {
  return withLanes(state, (lane) => {
    const clip = lane.clips.find(({ id }) => id === clipId);
    const resized = clip && resizedClip(state, clip, span);
    if (!resized) return lane;
    const others = lane.clips.filter((other) => other !== clip);
    return { ...lane, clips: insertOver(others, resized, newId) };
  });
}

/** Returns a clip over a span, limited to its source; null if nothing of the source is there. */
function resizedClip(state: ProjectState, clip: Clip, span: EditSpan): Clip | null {
  const length = state.sources.find(({ source }) => source === clip.source)?.length_ms;
  const warp = warpOf(state, clip);
  // A source of unknown length is not read beyond what the clip has.
  const endMs = length === undefined ? clip.from_ms + clip.length_ms : Math.floor(warpMsAt(warp, length));
  const firstMs = Math.max(0, Math.ceil(warpMsAt(warp, 0)));
  const offsetMs = clip.start_ms - clip.from_ms;
  const start = Math.max(span.start_ms, offsetMs + firstMs, 0);
  const end = Math.min(span.end_ms, offsetMs + endMs);
  if (end <= start) return null;
  const ends = { start_ms: start, from_ms: start - offsetMs, length_ms: end - start };
  return withFittingFades({ ...clip, ...ends });
}
