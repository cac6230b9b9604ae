import { noteSettings, noteSource } from '@stem-studio/contract/resources/notes';
import { z } from 'zod';
import { storedJson } from '../../platform/db/stored-json.ts';

/** Schema of the arguments of a transcription job. */
export const notesArgs = noteSettings.extend({ source: noteSource, stem_id: z.guid().nullable() });
/** Arguments of a transcription job. */
export type NotesArgs = z.infer<typeof notesArgs>;
/** Defaults for jobs stored before a setting existed. */
const defaultSettings = {
  onset_threshold: 0.5,
  frame_threshold: 0.3,
  minimum_note_ms: 128,
  monophonic: false,
};
/** Stored form of the arguments of a transcription job. */
export const storedNotesArgs = storedJson('arguments of a job of the type notes', notesArgs, {
  defaults: defaultSettings,
});
/** Arguments shown for a job whose stored ones cannot be read. */
export const unreadableNotesArgs: NotesArgs = { ...defaultSettings, source: 'mix', stem_id: null };
