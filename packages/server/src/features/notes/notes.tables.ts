import type { NoteSource, TranscribedNote } from '@stem-studio/contract/resources/notes';
import type { Json, Moment } from '../../platform/db/column-types.ts';

/** Table of transcriptions of a stem or a whole song. */
export interface TranscriptionsTable {
  id: string;
  track_id: string;
  job_id: string;
  source: NoteSource;
  stem_id: string | null;
  onset_threshold: number;
  frame_threshold: number;
  minimum_note_ms: number;
  monophonic: boolean;
  notes: Json<TranscribedNote[]>;
  note_count: number;
  created_at: Moment;
}

declare module '../../platform/db/tables.ts' {
  interface Tables {
    transcriptions: TranscriptionsTable;
  }
}
