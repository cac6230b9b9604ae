import { chordNotes } from './chord-notes.ts';
import type { NoteEvent, NoteOptions } from './note-event.ts';
import type { NoteMap } from './note-map.ts';
import { singleNotes } from './single-notes.ts';

/**
 * Extracts the notes of a map, ordered by time and pitch, without inaudible ones.
 *
 * @param isMonophonic whether only one note sounds at a time, as in singing or a bass
 */
export function notesIn(
  map: NoteMap,
  options: NoteOptions & { readonly isMonophonic: boolean },
): NoteEvent[] {
  return options.isMonophonic ? singleNotes(map, options) : chordNotes(map, options);
}
