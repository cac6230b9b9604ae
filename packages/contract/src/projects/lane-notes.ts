import { editBounds } from '../limits.ts';
import type { LaneNote, NewNote, NoteChange } from '../resources/lane-note.ts';
import type { Lane, ProjectState } from '../resources/project.ts';
import type { EditSpan } from './clip-parts.ts';
import { withLanes } from './edited-lanes.ts';

/** Returns notes by their start, then by their pitch. */
export function sortedNotes(notes: readonly LaneNote[]): LaneNote[] {
  return notes.toSorted(
    (one, other) => one.start_ms - other.start_ms || one.pitch - other.pitch || (one.id < other.id ? -1 : 1),
  );
}

/** Returns the number of notes of all lanes. */
export function noteCount({ lanes }: ProjectState): number {
  return lanes.reduce((sum, { notes }) => sum + notes.length, 0);
}

function withNotes(
  state: ProjectState,
  id: string,
  change: (notes: readonly LaneNote[]) => readonly LaneNote[],
): ProjectState {
  return withLanes(state, (lane) => (lane.id === id ? { ...lane, notes: [...change(lane.notes)] } : lane));
}

/** Notes of a lane that an operation adds. */
interface AddedNotes {
  readonly stem_type: string;
  readonly notes: readonly NewNote[];
}

const identified = (notes: readonly NewNote[], newId: () => string): LaneNote[] =>
  notes.map((note) => ({ id: newId(), ...note }));

const valuesOf = ({ start_ms, length_ms, pitch, velocity }: NewNote) =>
  `${start_ms} ${length_ms} ${pitch} ${velocity}`;

/**
 * Returns the state with other notes on a lane; the same state if the lane has notes of these values already.
 *
 * @spec Notes of lanes
 */
export function withSetNotes(
  state: ProjectState,
  { stem_type, notes }: AddedNotes,
  newId: () => string,
): ProjectState {
  return withNotes(state, stem_type, (before) => {
    const set = sortedNotes(identified(notes, newId));
    const isSame =
      set.length === before.length &&
      set.every((note, index) => valuesOf(note) === valuesOf(before[index] as LaneNote));
    return isSame ? before : set;
  });
}

/** Returns the state with further notes on a lane. */
export function withAddedNotes(
  state: ProjectState,
  { stem_type, notes }: AddedNotes,
  newId: () => string,
): ProjectState {
  return withNotes(state, stem_type, (before) => sortedNotes([...before, ...identified(notes, newId)]));
}

/** Returns the state with changed notes of a lane; a note ends at the latest with the timeline. */
export function withChangedNotes(
  state: ProjectState,
  { stem_type, notes }: { readonly stem_type: string; readonly notes: readonly NoteChange[] },
): ProjectState {
  const changes = new Map(notes.map((change) => [change.id, change]));
  return withNotes(state, stem_type, (before) =>
    sortedNotes(
      before.map((note) => {
        const change = changes.get(note.id);
        return change ? withinTimeline({ ...note, ...definedOf(change) }) : note;
      }),
    ),
  );
}

/** Returns the values of a change that are given. */
function definedOf(change: NoteChange): Partial<LaneNote> {
  return Object.fromEntries(Object.entries(change).filter(([, value]) => value !== undefined));
}

const withinTimeline = (note: LaneNote): LaneNote => ({
  ...note,
  length_ms: Math.min(note.length_ms, editBounds.ms - note.start_ms),
});

/** Returns the state without some notes of a lane. */
export function withoutNotes(
  state: ProjectState,
  { stem_type, note_ids }: { readonly stem_type: string; readonly note_ids: readonly string[] },
): ProjectState {
  const ids = new Set(note_ids);
  return withNotes(state, stem_type, (before) => before.filter(({ id }) => !ids.has(id)));
}

/**
 * Returns notes without the time of a span: what follows it moves to its start, notes within it are deleted, and notes
 * that reach into it are shortened.
 */
export function notesWithoutTime(notes: readonly LaneNote[], { start_ms, end_ms }: EditSpan): LaneNote[] {
  return movedNotes(notes, (ms) => (ms <= start_ms ? ms : Math.max(start_ms, ms - (end_ms - start_ms))));
}

/**
 * Returns notes whose starts and ends are moved, rounded to whole ms. Notes without length and those beyond the timeline
 * are omitted.
 *
 * @param to position of the timeline in ms to its new position, ascending
 */
export function movedNotes(notes: readonly LaneNote[], to: (ms: number) => number): LaneNote[] {
  const within = (ms: number) => Math.min(editBounds.ms, Math.max(0, to(ms)));
  return sortedNotes(
    notes.flatMap((note) => {
      const start = within(note.start_ms);
      const end = within(note.start_ms + note.length_ms);
      if (end <= start) return [];
      const start_ms = Math.min(Math.round(start), editBounds.ms - 1);
      return [{ ...note, start_ms, length_ms: Math.max(1, Math.round(end) - start_ms) }];
    }),
  );
}

/** Returns a lane with moved notes; the same lane if it has none. */
export function withMovedNotes(lane: Lane, move: (notes: readonly LaneNote[]) => LaneNote[]): Lane {
  return lane.notes.length === 0 ? lane : { ...lane, notes: move(lane.notes) };
}
