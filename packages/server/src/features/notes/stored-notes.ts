import { transcribedNote } from '@stem-studio/contract/resources/notes';
import { z } from 'zod';
import { storedJson } from '../../platform/db/stored-json.ts';

/** Notes of a transcription. */
export const storedNotes = storedJson('notes of a transcription', z.array(transcribedNote));
