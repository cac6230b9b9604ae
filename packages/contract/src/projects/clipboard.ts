import { isSame } from '../decks/is-same.ts';
import { editBounds } from '../limits.ts';
import type { Clip, ProjectState } from '../resources/project.ts';
import { arrange, withoutSpan } from './arrange-clips.ts';
import { type EditSpan, partOf, shifted } from './clip-parts.ts';
import { isEdited, type NamedLanes, withLanes } from './edited-lanes.ts';

type Clipboard = NonNullable<ProjectState['clipboard']>;

/** Returns a copy of a span of the lanes that an edit is for; null if there are none. */
export function copyOf(
  state: ProjectState,
  { start_ms, end_ms }: EditSpan,
  named: NamedLanes,
): Clipboard | null {
  const lanes = state.lanes
    .filter((lane) => isEdited(named, lane.id))
    .map(({ id, clips }) => ({
      id,
      clips: arrange(
        clips.map((clip) => partOf(clip, { start_ms, end_ms })).filter((part) => part !== null),
      ).map((part) => shifted(part, -start_ms)),
    }));
  return lanes.length === 0 ? null : { length_ms: end_ms - start_ms, lanes };
}

/** Returns the state with another clipboard; the same object if it has the same content. */
export function withClipboard(state: ProjectState, clipboard: Clipboard | null): ProjectState {
  return clipboard === null || isSame(clipboard, state.clipboard) ? state : { ...state, clipboard };
}

/** Returns the state with a copy at `toMs`, on the lanes it was taken from, instead of what they have there. */
export function withPasted(
  state: ProjectState,
  { lanes, length_ms }: Clipboard,
  toMs: number,
  newId: () => string,
): ProjectState {
  const span = { start_ms: toMs, end_ms: toMs + length_ms };
  return withLanes(state, (lane) => {
    const copied = lanes.find(({ id }) => id === lane.id);
    if (!copied) return lane;
    const rest = withoutSpan(lane.clips, span, newId);
    const pasted = copied.clips
      .map((clip) => onTimeline(shifted({ ...clip, id: newId() }, toMs)))
      .filter((clip) => clip !== null);
    return { ...lane, clips: arrange([...rest, ...pasted]) };
  });
}

/** Returns the part of a clip before the end of the timeline; null if it starts after it. */
export const onTimeline = (clip: Clip): Clip | null => partOf(clip, { start_ms: 0, end_ms: editBounds.ms });
