import { z } from 'zod';
import { timestamp, uuid } from '../ids.ts';
import { processingStatus } from '../states.ts';
import { stemType } from './stem.ts';

/** Audio that notes were transcribed from: a stem, or the whole track (`mix`). */
export const noteSource = z.enum(['mix', ...stemType.options]);
/** Audio that notes were transcribed from. */
export type NoteSource = z.infer<typeof noteSource>;

/** Transcribed note. */
export const transcribedNote = z.object({
  start_ms: z.int().min(0),
  /** End, later than the start. */
  end_ms: z.int().min(1),
  /** MIDI number, 60 for middle C. */
  pitch: z.int().min(0).max(127),
  /** Derived from the confidence of the detection. */
  velocity: z.int().min(1).max(127),
  /** Pitch deviation over the note's duration in cents, evenly spaced; only if requested. */
  bends_cents: z.array(z.int()).optional(),
});
/** Transcribed note. */
export type TranscribedNote = z.infer<typeof transcribedNote>;

/** Settings of the transcription. */
export const noteSettings = z.object({
  /** Onset detection threshold: lower finds more notes. */
  onset_threshold: z.number().min(0.05).max(0.95),
  /** Frame threshold for sustaining a note: lower makes notes longer. */
  frame_threshold: z.number().min(0.05).max(0.95),
  /** Shorter notes are discarded. */
  minimum_note_ms: z.int().min(20).max(2000),
  /** Whether only one note sounds at a time. */
  monophonic: z.boolean(),
});

/** Metadata of the notes of a track or one of its stems. */
export const transcription = noteSettings.extend({
  id: uuid,
  track_id: uuid,
  job_id: uuid,
  source: noteSource,
  /** Stem that was transcribed; null for the whole track and for a deleted stem. */
  stem_id: uuid.nullable(),
  note_count: z.int().min(0),
  created_at: timestamp,
});
/** Metadata of the notes of a track or one of its stems. */
export type Transcription = z.infer<typeof transcription>;

/** Notes of a track or one of its stems, ordered by start. */
export const transcriptionWithNotes = transcription.extend({ notes: z.array(transcribedNote) });
/** Notes of a track or one of its stems. */
export type TranscriptionWithNotes = z.infer<typeof transcriptionWithNotes>;

/** Transcription job; `result` is null until it is completed, and after newer notes have replaced its own. */
export const notesJob = noteSettings.extend({
  id: uuid,
  track_id: uuid,
  source: noteSource,
  stem_id: uuid.nullable(),
  status: processingStatus,
  progress: z.int().min(0).max(100),
  message: z.string(),
  eta_seconds: z.int().nullable(),
  result: transcription.nullable(),
  error: z.string().nullable(),
});
/** Transcription job. */
export type NotesJob = z.infer<typeof notesJob>;
