import { noteSettings, noteSource } from '@stem-studio/contract/resources/notes';
import { z } from 'zod';

/** What a job that looks for notes is asked. */
export const notesArgs = noteSettings.extend({ source: noteSource, stem_id: z.guid().nullable() });
/** What a job that looks for notes is asked. */
export type NotesArgs = z.infer<typeof notesArgs>;
