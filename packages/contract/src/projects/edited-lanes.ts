import { isSame } from '../decks/is-same.ts';
import type { Lane, ProjectState } from '../resources/project.ts';

/** Lanes that an edit names; all where it names none. */
export interface NamedLanes {
  readonly stem_type?: string | undefined;
  readonly lanes?: readonly string[] | undefined;
}

/** Returns the ids that an edit names, without repetitions; null if it is for all lanes. */
export function namedLanes({ stem_type, lanes }: NamedLanes): string[] | null {
  if (stem_type === undefined && lanes === undefined) return null;
  return [...new Set([...(stem_type === undefined ? [] : [stem_type]), ...(lanes ?? [])])];
}

/** Returns whether an edit is for a lane. */
export function isEdited(named: NamedLanes, id: string): boolean {
  return namedLanes(named)?.includes(id) ?? true;
}

/** Returns the state with other lanes; unchanged lanes and an unchanged state stay the same objects. */
export function withLanes(state: ProjectState, change: (lane: Lane) => Lane): ProjectState {
  const lanes = state.lanes.map((lane) => {
    const changed = change(lane);
    return isSameLane(lane, changed) ? lane : changed;
  });
  return lanes.every((lane, index) => lane === state.lanes[index]) ? state : { ...state, lanes };
}

function isSameLane(one: Lane, other: Lane): boolean {
  if (one === other) return true;
  const { clips, notes, ...strip } = one;
  const { clips: otherClips, notes: otherNotes, ...otherStrip } = other;
  return isSame(strip, otherStrip) && isSameList(clips, otherClips) && isSameList(notes, otherNotes);
}

/** Returns whether two lists have equal entries. Quick for long lists that are mostly the same objects. */
export function isSameList(one: readonly unknown[], other: readonly unknown[]): boolean {
  return (
    one === other || (one.length === other.length && one.every((entry, index) => isSame(entry, other[index])))
  );
}

/** Returns the state with other clips on the lanes that an edit is for. */
export function withClips(
  state: ProjectState,
  named: NamedLanes,
  change: (clips: readonly Lane['clips'][number][]) => Lane['clips'],
): ProjectState {
  return withLanes(state, (lane) =>
    isEdited(named, lane.id) ? { ...lane, clips: change(lane.clips) } : lane,
  );
}
