import type { Edit } from '@stem-studio/contract/resources/edit-operation';
import type { LaneNote, NewNote } from '@stem-studio/contract/resources/lane-note';
import { type MouseEvent, type PointerEvent, useRef } from 'react';
import { selectSpan } from '../selection.ts';
import {
  addEdits,
  copiesOf,
  deleteEdits,
  moveEdits,
  type NoteHit,
  type NoteShift,
  noteAt,
  notesIn,
  resizeEdits,
} from './roll-edits.ts';
import { pitchAt, type RollGeometry } from './roll-geometry.ts';
import type { RollModel } from './roll-model.ts';

/** A shorter drag is a click. */
const DRAG_PX = 3;
/** Width of the ends of a note that resize it. */
const EDGE_PX = 6;
const NEW_VELOCITY = 100;

/** Position in the roll. */
interface RollPoint {
  readonly x: number;
  readonly y: number;
  readonly ms: number;
  readonly pitch: number;
  readonly hit: NoteHit | null;
}

interface Press {
  readonly from: RollPoint;
  /** What the drag does: draws a note, selects a part of the roll, or changes the selected notes. */
  readonly kind: 'draw' | 'box' | 'move' | 'copy' | 'start' | 'end';
  readonly notes: readonly LaneNote[];
  /** Selected notes that a drag over a part of the roll keeps. */
  readonly kept: readonly string[];
  isMoved: boolean;
  /** Pitch that was played last. */
  pitch: number;
}

function locate(model: RollModel, geometry: RollGeometry, event: MouseEvent): RollPoint {
  const box = event.currentTarget.getBoundingClientRect();
  const { fromSeconds, spanSeconds } = model.editor.view.window;
  const [x, y] = [event.clientX - box.left, event.clientY - box.top];
  const msPerPx = (spanSeconds * 1000) / Math.max(1, box.width);
  const ms = Math.max(0, fromSeconds * 1000 + x * msPerPx);
  const pitch = pitchAt(geometry, y);
  return { x, y, ms, pitch, hit: noteAt(model.notes, ms, pitch, EDGE_PX * msPerPx) };
}

function shiftOf(model: RollModel, { from }: Press, to: RollPoint, isFree: boolean): NoteShift {
  const start = from.hit?.note.start_ms ?? from.ms;
  return {
    ms: model.snapped(start + to.ms - from.ms, isFree) - start,
    semitones: to.pitch - from.pitch,
  };
}

/** Returns the note that a drag draws. */
function drawnNote(model: RollModel, { from, isMoved }: Press, to: RollPoint, isFree: boolean): NewNote {
  const start_ms = model.snappedDown(Math.min(from.ms, to.ms), isFree);
  const least = model.newLengthMs(start_ms);
  const end = isMoved ? model.snapped(Math.max(from.ms, to.ms), isFree) : start_ms + least;
  const length_ms = isFree && isMoved ? Math.max(1, end - start_ms) : Math.max(least, end - start_ms);
  return { start_ms, length_ms, pitch: from.pitch, velocity: NEW_VELOCITY };
}

function editsOf(model: RollModel, press: Press, to: RollPoint, isFree: boolean): Edit[] {
  const { lane } = model;
  const { kind, notes, from } = press;
  const shift = shiftOf(model, press, to, isFree);
  if (kind === 'draw') return addEdits(lane, [drawnNote(model, press, to, isFree)]);
  if (kind === 'move') return moveEdits(lane, notes, shift);
  if (kind === 'copy') return addEdits(lane, copiesOf(notes, shift));
  const grabbed = from.hit?.note;
  if (!grabbed || kind === 'box') return [];
  if (kind === 'start') return resizeEdits(lane, notes, 'start', shift.ms);
  const end = grabbed.start_ms + grabbed.length_ms;
  return resizeEdits(lane, notes, 'end', model.snapped(end + to.ms - from.ms, isFree) - end);
}

const cursorOf = { start: 'ew-resize', body: 'grab', end: 'ew-resize' } as const;

/** Returns what a press begins, and selects the note under the pointer. */
function pressAt(model: RollModel, from: RollPoint, event: PointerEvent): Press {
  const { hit } = from;
  const { isDrawing, selected } = model.shown.getState();
  const isAdded = event.shiftKey;
  const kept = isAdded ? [...selected] : [];
  const common = { from, kept, isMoved: false, pitch: from.pitch };
  if (!hit) return { ...common, kind: isDrawing ? 'draw' : 'box', notes: [] };
  const { note, part } = hit;
  const isSelected = selected.has(note.id);
  if (isAdded && isSelected) model.select([...selected].filter((id) => id !== note.id));
  else if (!isSelected) model.select([...kept, note.id]);
  model.audition(note);
  const isCopy = event.ctrlKey || event.metaKey;
  const kind = isCopy ? 'copy' : part === 'body' ? 'move' : part;
  return { ...common, kind, notes: model.selectedNotes };
}

/**
 * Returns the pointer handlers of the roll: a drag of a note moves it with the selected ones, with Ctrl it copies them,
 * its ends resize them, and a drag elsewhere selects, or draws in draw mode. A double click draws or deletes a note.
 */
export function useRollDrag(model: RollModel, geometry: () => RollGeometry, isReadOnly: boolean) {
  const press = useRef<Press | null>(null);
  const end = () => {
    press.current = null;
    model.editor.setDrag(null);
    model.editor.preview(null);
    model.set({ box: null });
  };
  return {
    onPointerDown(event: PointerEvent<HTMLElement>) {
      if (event.button !== 0) return;
      event.currentTarget.setPointerCapture(event.pointerId);
      const before = model.shown.getState().selected;
      press.current = pressAt(model, locate(model, geometry(), event), event);
      model.editor.setDrag(() => {
        model.select(before);
        end();
      });
    },
    onPointerMove(event: PointerEvent<HTMLElement>) {
      const from = press.current;
      const to = locate(model, geometry(), event);
      if (!from) {
        const { isDrawing } = model.shown.getState();
        event.currentTarget.style.cursor = to.hit
          ? cursorOf[to.hit.part]
          : isDrawing
            ? 'crosshair'
            : 'default';
        return;
      }
      if (!from.isMoved && Math.hypot(to.x - from.from.x, to.y - from.from.y) < DRAG_PX) return;
      from.isMoved = true;
      if (from.kind === 'box') {
        dragBox(model, from, to);
        return;
      }
      if (isReadOnly) return;
      model.preview(editsOf(model, from, to, event.altKey));
      const isPitched = from.kind === 'move' || from.kind === 'copy';
      if (!isPitched || to.pitch === from.pitch) return;
      from.pitch = to.pitch;
      const { note } = from.from.hit ?? { note: null };
      if (note) model.audition({ ...note, pitch: note.pitch + to.pitch - from.from.pitch });
    },
    onPointerUp(event: PointerEvent<HTMLElement>) {
      const from = press.current;
      if (!from) return;
      const to = locate(model, geometry(), event);
      end();
      const isChange = !isReadOnly && (from.isMoved || from.kind === 'draw');
      if (!isChange || from.kind === 'box') {
        if (from.kind === 'box' && !from.isMoved) clickEmpty(model, from);
        return;
      }
      if (from.kind === 'draw') {
        const note = drawnNote(model, from, to, event.altKey);
        model.add([note]);
        model.audition(note);
      } else if (from.kind === 'copy')
        model.add(copiesOf(from.notes, shiftOf(model, from, to, event.altKey)));
      else model.edit(editsOf(model, from, to, event.altKey));
    },
    onPointerCancel: () => model.editor.cancelDrag(),
    onDoubleClick(event: MouseEvent<HTMLElement>) {
      if (isReadOnly || model.shown.getState().isDrawing) return;
      const at = locate(model, geometry(), event);
      if (at.hit) model.edit(deleteEdits(model.lane, [at.hit.note]));
      else {
        const start_ms = model.snappedDown(at.ms, event.altKey);
        const length_ms = model.newLengthMs(start_ms);
        const note = { start_ms, length_ms, pitch: at.pitch, velocity: NEW_VELOCITY };
        model.add([note]);
        model.audition(note);
      }
    },
  };
}

function dragBox(model: RollModel, { from, kept }: Press, to: RollPoint): void {
  const box = {
    fromMs: Math.min(from.ms, to.ms),
    toMs: Math.max(from.ms, to.ms),
    lowest: Math.min(from.pitch, to.pitch),
    highest: Math.max(from.pitch, to.pitch),
  };
  model.set({ box, selected: new Set([...kept, ...notesIn(model.notes, box).map(({ id }) => id)]) });
}

/** A click on an empty position clears the selection and moves the cursor of the editor there. */
function clickEmpty(model: RollModel, { from, kept }: Press): void {
  model.select(kept);
  const at = model.snapped(from.ms);
  model.editor.select(selectSpan(at, at, [model.lane]));
}
