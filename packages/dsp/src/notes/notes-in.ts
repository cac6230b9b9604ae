import { chordNotes } from './chord-notes.ts';
import type { NoteEvent, NoteOptions } from './note-event.ts';
import type { NoteMap } from './note-map.ts';
import { singleNotes } from './single-notes.ts';

/**
 * The notes of a map, by time and pitch; none where nothing is to be heard.
 *
 * @param isMonophonic whether one sounds at a time, as in a voice or a bass
 */
export function notesIn(
  map: NoteMap,
  options: NoteOptions & { readonly isMonophonic: boolean },
): NoteEvent[] {
  return options.isMonophonic ? singleNotes(map, options) : chordNotes(map, options);
}
