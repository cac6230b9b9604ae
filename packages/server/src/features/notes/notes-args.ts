import { noteSettings, noteSource } from '@stem-studio/contract/resources/notes';
import { z } from 'zod';
import { storedJson } from '../../platform/db/stored-json.ts';

/** What a job that looks for notes is asked. */
export const notesArgs = noteSettings.extend({ source: noteSource, stem_id: z.guid().nullable() });
/** What a job that looks for notes is asked. */
export type NotesArgs = z.infer<typeof notesArgs>;
/** Settings of jobs that were stored before a setting existed. */
const defaultSettings = {
  onset_threshold: 0.5,
  frame_threshold: 0.3,
  minimum_note_ms: 128,
  monophonic: false,
};
/** How they are stored in a job. */
export const storedNotesArgs = storedJson('arguments of a job of the type notes', notesArgs, {
  defaults: defaultSettings,
});
/** What is shown of a job whose arguments cannot be read. */
export const unreadableNotesArgs: NotesArgs = { ...defaultSettings, source: 'mix', stem_id: null };
