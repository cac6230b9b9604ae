import { editBounds } from '@stem-studio/contract/limits';
import {
  type BeatPositions,
  type Quantisation,
  quantisedNotes,
} from '@stem-studio/contract/projects/quantise-notes';
import type { Edit } from '@stem-studio/contract/resources/edit-operation';
import type { LaneNote, NewNote, NoteChange } from '@stem-studio/contract/resources/lane-note';

/** Shortest note that a drag of an end leaves, in ms. */
const SHORTEST_MS = 10;
const HIGHEST_PITCH = 127;

/** Returns operations for as many notes as one operation may name. */
function inParts<T>(entries: readonly T[], edit: (part: T[]) => Edit): Edit[] {
  const parts: Edit[] = [];
  for (let from = 0; from < entries.length; from += editBounds.notes)
    parts.push(edit(entries.slice(from, from + editBounds.notes)));
  return parts;
}

const changes = (stem_type: string, notes: readonly NoteChange[], isQuantised = false): Edit[] =>
  inParts(notes, (part) => ({
    operation: 'change_notes',
    params: { stem_type, notes: part, ...(isQuantised && { is_quantised: true as const }) },
  }));

/** Returns the operations that add notes to a lane. */
export function addEdits(stem_type: string, notes: readonly NewNote[]): Edit[] {
  return inParts(notes, (part) => ({ operation: 'add_notes', params: { stem_type, notes: part } }));
}

/** Returns the operations that replace all notes of a lane. */
export function setEdits(stem_type: string, notes: readonly NewNote[]): Edit[] {
  const first = notes.slice(0, editBounds.notes);
  return [
    { operation: 'set_notes', params: { stem_type, notes: first } },
    ...addEdits(stem_type, notes.slice(first.length)),
  ];
}

/** Returns the operations that delete notes. */
export function deleteEdits(stem_type: string, notes: readonly LaneNote[]): Edit[] {
  return inParts(notes, (part) => ({
    operation: 'delete_notes',
    params: { stem_type, note_ids: part.map(({ id }) => id) },
  }));
}

/** Change of time and pitch of notes. */
export interface NoteShift {
  readonly ms: number;
  readonly semitones: number;
}

/** Returns a shift as far as all notes stay on the timeline and within the pitches of MIDI. */
export function withinRange(notes: readonly LaneNote[], { ms, semitones }: NoteShift): NoteShift {
  const first = notes.reduce<number>((least, { start_ms }) => Math.min(least, start_ms), editBounds.ms);
  const last = notes.reduce((most, { start_ms, length_ms }) => Math.max(most, start_ms + length_ms), 0);
  const lowest = notes.reduce((least, { pitch }) => Math.min(least, pitch), HIGHEST_PITCH);
  const highest = notes.reduce((most, { pitch }) => Math.max(most, pitch), 0);
  return {
    ms: Math.round(Math.min(editBounds.ms - last, Math.max(-first, ms))),
    semitones: Math.min(HIGHEST_PITCH - highest, Math.max(-lowest, semitones)),
  };
}

/** Returns the operations that move notes together; none where they stay. */
export function moveEdits(stem_type: string, notes: readonly LaneNote[], shift: NoteShift): Edit[] {
  const { ms, semitones } = withinRange(notes, shift);
  if (ms === 0 && semitones === 0) return [];
  return changes(
    stem_type,
    notes.map(({ id, start_ms, pitch }) => ({
      id,
      ...(ms !== 0 && { start_ms: start_ms + ms }),
      ...(semitones !== 0 && { pitch: pitch + semitones }),
    })),
  );
}

/** Returns copies of notes, moved together. */
export function copiesOf(notes: readonly LaneNote[], shift: NoteShift): NewNote[] {
  const { ms, semitones } = withinRange(notes, shift);
  return notes.map(({ start_ms, length_ms, pitch, velocity }) => ({
    start_ms: start_ms + ms,
    length_ms,
    pitch: pitch + semitones,
    velocity,
  }));
}

/** Returns the operations that move the starts or the ends of notes, as far as they keep a length. */
export function resizeEdits(
  stem_type: string,
  notes: readonly LaneNote[],
  side: 'start' | 'end',
  ms: number,
): Edit[] {
  const resized = notes.flatMap(({ id, start_ms, length_ms }): NoteChange[] => {
    const end = start_ms + length_ms;
    const shortest = Math.min(SHORTEST_MS, length_ms);
    if (side === 'end') {
      const length = Math.min(editBounds.ms - start_ms, Math.max(shortest, Math.round(length_ms + ms)));
      return length === length_ms ? [] : [{ id, length_ms: length }];
    }
    const start = Math.max(0, Math.min(end - shortest, Math.round(start_ms + ms)));
    return start === start_ms ? [] : [{ id, start_ms: start, length_ms: end - start }];
  });
  return changes(stem_type, resized);
}

const withinVelocities = (velocity: number) => Math.min(127, Math.max(1, Math.round(velocity)));

/** Returns the operations that change the velocity of notes, of each by the function of it. */
export function velocityEdits(
  stem_type: string,
  notes: readonly LaneNote[],
  to: (velocity: number) => number,
): Edit[] {
  return changes(
    stem_type,
    notes.flatMap(({ id, velocity }) => {
      const changed = withinVelocities(to(velocity));
      return changed === velocity ? [] : [{ id, velocity: changed }];
    }),
  );
}

/** Returns the operations that quantise notes; none where all are on the grid. */
export function quantiseEdits(
  stem_type: string,
  notes: readonly LaneNote[],
  beats: BeatPositions,
  quantisation: Quantisation,
): Edit[] {
  return changes(stem_type, quantisedNotes(notes, beats, quantisation), true);
}

/** A part of the roll: times in ms and pitches, both inclusive. */
export interface NoteBox {
  readonly fromMs: number;
  readonly toMs: number;
  readonly lowest: number;
  readonly highest: number;
}

/** Returns the notes that reach into a part of the roll. */
export function notesIn(notes: readonly LaneNote[], { fromMs, toMs, lowest, highest }: NoteBox): LaneNote[] {
  return notes.filter(
    ({ start_ms, length_ms, pitch }) =>
      start_ms <= toMs && start_ms + length_ms > fromMs && pitch >= lowest && pitch <= highest,
  );
}

/** What of a note is under the pointer. */
export interface NoteHit {
  readonly note: LaneNote;
  readonly part: 'start' | 'body' | 'end';
}

/**
 * Returns what is at a position of the roll: the note that starts last there, by its start and end only where it is wide
 * enough to be grabbed between them; null for none.
 *
 * @param edgeMs time that the width of an edge covers
 */
export function noteAt(
  notes: readonly LaneNote[],
  ms: number,
  pitch: number,
  edgeMs: number,
): NoteHit | null {
  const note = notes.findLast(
    (each) => each.pitch === pitch && each.start_ms <= ms && ms < each.start_ms + each.length_ms,
  );
  if (!note) return null;
  if (note.start_ms + note.length_ms - ms <= edgeMs && note.length_ms > 2 * edgeMs)
    return { note, part: 'end' };
  if (ms - note.start_ms <= edgeMs && note.length_ms > 3 * edgeMs) return { note, part: 'start' };
  return { note, part: 'body' };
}
