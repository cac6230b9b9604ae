import { editBounds } from '@stem-studio/contract/limits';
import { applyEdit } from '@stem-studio/contract/projects/apply-edit';
import {
  type BeatPositions,
  gridLines,
  nearestLine,
  type Quantisation,
} from '@stem-studio/contract/projects/quantise-notes';
import type { Edit } from '@stem-studio/contract/resources/edit-operation';
import type { LaneNote, NewNote } from '@stem-studio/contract/resources/lane-note';
import type { ProjectState } from '@stem-studio/contract/resources/project';
import { createStore } from 'zustand/vanilla';
import type { EditorModel } from '../editor-model.ts';
import {
  addEdits,
  copiesOf,
  deleteEdits,
  moveEdits,
  type NoteBox,
  quantiseEdits,
  resizeEdits,
  velocityEdits,
} from './roll-edits.ts';
import type { RollAction } from './roll-keys.ts';

/** Length of a grid step without beats, in ms. */
const FREE_STEP_MS = 250;
/** Part of the timeline in which the next two grid lines are looked for, in ms. */
const SEARCH_MS = 10_000;
const VELOCITY_STEP = 5;
const NEW_VELOCITY = 100;
const MIDDLE_C = 60;
const OCTAVE = 12;

/** Beginning of the ids of notes that a drag in progress draws. */
export const previewId = 'drag';

/** What the piano roll shows beside the notes. */
export interface RollView {
  /** Ids of the selected notes, also of some that do not exist any more. */
  readonly selected: ReadonlySet<string>;
  /** Part of the roll that a drag selects. */
  readonly box: NoteBox | null;
  /** Whether a press on an empty position draws a note. */
  readonly isDrawing: boolean;
  readonly isSnapped: boolean;
  readonly quantisation: Quantisation;
}

/** What the rolls of a page share. */
export interface RollContext {
  /** Plays a note for a moment. */
  readonly audition: (pitch: number, velocity: number) => void;
  /** Reports notes that a project has no space for. */
  readonly refuse: () => void;
  /** Notes that were copied last, from their first start on. */
  readonly clipboard: { notes: readonly NewNote[] };
}

/**
 * The piano roll of a lane: selection and settings; the target of keys, buttons and the pointer.
 *
 * @spec Notes of lanes
 */
export class RollModel {
  readonly lane: string;
  readonly editor: EditorModel;
  readonly shown = createStore<RollView>(() => ({
    selected: new Set(),
    box: null,
    isDrawing: false,
    isSnapped: true,
    quantisation: { grid: '1/16', strength: 100, hasEnds: false },
  }));
  readonly #context: RollContext;
  #beats: BeatPositions = { beatsMs: [], firstBar: 0, quartersPerBeat: 1 };
  #lastPitch: number | null = null;

  constructor(editor: EditorModel, lane: string, context: RollContext) {
    this.editor = editor;
    this.lane = lane;
    this.#context = context;
  }

  /** Beats of the song on the timeline, which notes snap to. */
  get beats(): BeatPositions {
    return this.#beats;
  }

  setBeats(beats: BeatPositions): void {
    this.#beats = beats;
  }

  /** Changes settings or selection. */
  set(change: Partial<RollView>): void {
    this.shown.setState(change);
  }

  /** Notes of the lane, by their starts. */
  get notes(): readonly LaneNote[] {
    return notesOf(this.editor.state, this.lane);
  }

  /** Selected notes that exist, by their starts. */
  get selectedNotes(): LaneNote[] {
    const { selected } = this.shown.getState();
    return this.notes.filter(({ id }) => selected.has(id));
  }

  select(ids: Iterable<string>): void {
    this.set({ selected: new Set(ids) });
  }

  /** Plays a note for a moment; further ones are drawn at its pitch. */
  audition({ pitch, velocity }: Pick<LaneNote, 'pitch' | 'velocity'>): void {
    this.#lastPitch = pitch;
    this.#context.audition(pitch, velocity);
  }

  /** Returns the length of a grid step at a position, in ms. */
  stepMs(ms: number): number {
    const { grid } = this.shown.getState().quantisation;
    const [first, second] = gridLines(this.#beats, grid, ms, ms + SEARCH_MS);
    return first === undefined || second === undefined ? FREE_STEP_MS : second - first;
  }

  /** Returns the nearest grid line to a position, or the position itself where nothing snaps, in ms. */
  snapped(ms: number, isFree = false): number {
    const { isSnapped, quantisation } = this.shown.getState();
    const at = isSnapped && !isFree ? nearestLine(this.#beats, quantisation.grid, ms) : ms;
    return Math.max(0, Math.round(at));
  }

  /** Returns the last grid line at or before a position, or the position itself where nothing snaps, in ms. */
  snappedDown(ms: number, isFree = false): number {
    const { isSnapped } = this.shown.getState();
    if (!isSnapped || isFree || this.#beats.beatsMs.length < 2) return Math.max(0, Math.round(ms));
    return this.snapped(ms - this.stepMs(ms) / 2 + 0.5);
  }

  /** Applies operations; returns whether they changed anything. */
  edit(edits: readonly Edit[]): boolean {
    return edits.map((edit) => this.editor.edit(edit)).some(Boolean);
  }

  /** Shows the state after operations while a drag is in progress. */
  preview(edits: readonly Edit[]): void {
    const { editor } = this;
    editor.preview(
      edits.reduce(
        (state, edit, index) => applyEdit(state, { ...edit, id: `${previewId}${index}` }),
        editor.state,
      ),
    );
  }

  /** Adds notes and selects them. */
  add(notes: readonly NewNote[]): void {
    const ids: string[] = [];
    for (const edit of addEdits(this.lane, notes)) {
      if (!this.editor.edit(edit)) {
        this.#context.refuse();
        break;
      }
      const id = this.editor.editor.shown.getState().log.steps.at(-1)?.id ?? '';
      if (edit.operation === 'add_notes') ids.push(...edit.params.notes.map((_, at) => `${id}.${at + 1}`));
    }
    if (ids.length > 0) this.select(ids);
  }

  /** Quantises the selected notes, or all if none is selected. */
  quantise(): void {
    const selected = this.selectedNotes;
    const { quantisation } = this.shown.getState();
    const meant = selected.length > 0 ? selected : this.notes;
    this.edit(quantiseEdits(this.lane, meant, this.#beats, quantisation));
  }

  /** Sets the velocity of the selected notes. */
  setVelocity(to: (velocity: number) => number): void {
    this.edit(velocityEdits(this.lane, this.selectedNotes, to));
  }

  /** Performs the action of a key. Returns false if the key is for the editor around the roll. */
  act(action: RollAction, isReadOnly = false): boolean {
    if (action === 'escape') return this.#escape();
    if (action === 'select-all') this.select(this.notes.map(({ id }) => id));
    else if (action === 'previous' || action === 'next') this.#step(action === 'next' ? 1 : -1);
    else if (action === 'copy') this.#copy();
    else if (isReadOnly) return true;
    else if (action === 'draw-mode') this.set({ isDrawing: !this.shown.getState().isDrawing });
    else if (action === 'draw') this.#drawAtCursor();
    else if (action === 'quantise') this.quantise();
    else if (action === 'paste') this.#paste();
    else return this.#change(action);
    return true;
  }

  #escape(): boolean {
    if (this.editor.cancelDrag()) return true;
    if (this.selectedNotes.length === 0) return false;
    this.select([]);
    return true;
  }

  /** Performs an action on the selected notes. Arrows without any are for the editor. */
  #change(action: RollAction): boolean {
    const { selectedNotes: notes, lane } = this;
    const [first] = notes;
    if (!first) return action === 'delete' || action === 'cut' || action === 'duplicate';
    const step = this.stepMs(first.start_ms);
    if (action === 'left') this.#move(-step, 0);
    else if (action === 'right') this.#move(step, 0);
    else if (action === 'up') this.#move(0, 1);
    else if (action === 'down') this.#move(0, -1);
    else if (action === 'octave-up') this.#move(0, OCTAVE);
    else if (action === 'octave-down') this.#move(0, -OCTAVE);
    else if (action === 'shorter') this.edit(resizeEdits(lane, notes, 'end', -step));
    else if (action === 'longer') this.edit(resizeEdits(lane, notes, 'end', step));
    else if (action === 'softer') this.setVelocity((velocity) => velocity - VELOCITY_STEP);
    else if (action === 'louder') this.setVelocity((velocity) => velocity + VELOCITY_STEP);
    else if (action === 'duplicate') this.#duplicate();
    else {
      if (action === 'cut') this.#copy();
      this.edit(deleteEdits(lane, notes));
    }
    return true;
  }

  #move(ms: number, semitones: number): void {
    if (!this.edit(moveEdits(this.lane, this.selectedNotes, { ms, semitones }))) return;
    const [moved] = this.selectedNotes;
    if (semitones !== 0 && moved) this.audition(moved);
  }

  /** Selects the note after or before the selected ones. */
  #step(direction: 1 | -1): void {
    const { notes } = this;
    const { selected } = this.shown.getState();
    const at =
      direction > 0
        ? notes.findLastIndex(({ id }) => selected.has(id)) + 1
        : notes.findIndex(({ id }) => selected.has(id)) - 1;
    const note = at === -2 ? notes.at(-1) : notes[at];
    if (!note) return;
    this.select([note.id]);
    this.audition(note);
  }

  #drawAtCursor(): void {
    const start_ms = this.snapped(this.editor.selection.cursorMs);
    const pitch = this.#lastPitch ?? this.notes[Math.floor(this.notes.length / 2)]?.pitch ?? MIDDLE_C;
    const note = { start_ms, length_ms: this.newLengthMs(start_ms), pitch, velocity: NEW_VELOCITY };
    this.add([note]);
    this.audition(note);
  }

  /** Returns the length of a drawn note that is not dragged, in ms. */
  newLengthMs(startMs: number): number {
    return Math.max(1, Math.round(this.stepMs(startMs)));
  }

  #copy(): void {
    const { selectedNotes } = this;
    const [first] = selectedNotes;
    if (first) this.#context.clipboard.notes = copiesOf(selectedNotes, { ms: -first.start_ms, semitones: 0 });
  }

  /** Inserts the copied notes at the cursor. */
  #paste(): void {
    const at = this.snapped(this.editor.selection.cursorMs);
    const notes = this.#context.clipboard.notes
      .map((note) => ({ ...note, start_ms: note.start_ms + at }))
      .filter(({ start_ms, length_ms }) => start_ms + length_ms <= editBounds.ms);
    if (notes.length > 0) this.add(notes);
  }

  /** Copies the selected notes to their end, on the grid. */
  #duplicate(): void {
    const { selectedNotes } = this;
    const start = selectedNotes[0]?.start_ms ?? 0;
    const end = selectedNotes.reduce((most, note) => Math.max(most, note.start_ms + note.length_ms), 0);
    const ms = Math.max(1, this.snapped(end) - start);
    this.add(copiesOf(selectedNotes, { ms: ms < end - start ? end - start : ms, semitones: 0 }));
  }
}

/** Returns the notes of a lane, by their starts. */
export function notesOf({ lanes }: ProjectState, id: string): readonly LaneNote[] {
  return lanes.find((lane) => lane.id === id)?.notes ?? [];
}
