import type { ProjectState } from '@stem-studio/contract/resources/project';

/** Span on the timeline, in ms. */
export interface Span {
  readonly startMs: number;
  readonly endMs: number;
}

/** What edits act on: a span of lanes, or clips; otherwise the cursor. */
export interface Selection {
  /** Where the cursor stands, and playback starts. */
  readonly cursorMs: number;
  /** End of the span that stays when the other one moves with Shift. */
  readonly anchorMs: number;
  readonly span: Span | null;
  /** Ids of the lanes; empty for none. */
  readonly lanes: readonly string[];
  readonly clips: readonly string[];
}

/** Nothing is selected, and the cursor is at the start. */
export const noSelection: Selection = { cursorMs: 0, anchorMs: 0, span: null, lanes: [], clips: [] };

/** Returns the ids of the lanes from one to another, in the order of the page. */
export function lanesBetween(all: readonly string[], one: string, other: string): string[] {
  const [first, last] = [all.indexOf(one), all.indexOf(other)].toSorted((a, b) => a - b);
  return first === undefined || last === undefined || first < 0 ? [] : all.slice(first, last + 1);
}

/** Returns a selection from one position to another on lanes; only a cursor if both are the same. */
export function selectSpan(fromMs: number, toMs: number, lanes: readonly string[]): Selection {
  const span = fromMs === toMs ? null : { startMs: Math.min(fromMs, toMs), endMs: Math.max(fromMs, toMs) };
  return { cursorMs: span?.startMs ?? toMs, anchorMs: fromMs, span, lanes, clips: [] };
}

/** Returns a selection of a clip; with `isAdded` together with those that are selected, or without it if it is one. */
export function selectClip(
  before: Selection,
  state: ProjectState,
  clipId: string,
  isAdded: boolean,
): Selection {
  const others = isAdded ? before.clips : [];
  const clips = others.includes(clipId) ? others.filter((id) => id !== clipId) : [...others, clipId];
  return selectionOfClips(before, state, clips);
}

/** Returns a selection of clips, whose span reaches from the first to the last one. */
export function selectionOfClips(
  before: Selection,
  { lanes }: ProjectState,
  clipIds: readonly string[],
): Selection {
  const found = lanes.flatMap((lane) =>
    lane.clips.filter(({ id }) => clipIds.includes(id)).map((clip) => ({ lane: lane.id, clip })),
  );
  if (found.length === 0) return { ...before, clips: [], span: null };
  const startMs = Math.min(...found.map(({ clip }) => clip.start_ms));
  const endMs = Math.max(...found.map(({ clip }) => clip.start_ms + clip.length_ms));
  return {
    cursorMs: startMs,
    anchorMs: startMs,
    span: { startMs, endMs },
    lanes: [...new Set(found.map(({ lane }) => lane))],
    clips: found.map(({ clip }) => clip.id),
  };
}

/** Returns the selection without clips and lanes that a project does not have any more. */
export function stillSelected(selection: Selection, { lanes }: ProjectState): Selection {
  const ids = new Set(lanes.flatMap(({ clips }) => clips.map(({ id }) => id)));
  const names = new Set(lanes.map(({ id }) => id));
  const clips = selection.clips.filter((id) => ids.has(id));
  const kept = selection.lanes.filter((id) => names.has(id));
  if (clips.length === selection.clips.length && kept.length === selection.lanes.length) return selection;
  const isGone = selection.clips.length > 0 && clips.length === 0;
  return { ...selection, clips, lanes: kept, span: isGone ? null : selection.span };
}
