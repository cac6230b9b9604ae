import { z } from 'zod';
import { timestamp, uuid } from '../ids.ts';
import { processingStatus } from '../states.ts';
import { stemType } from './stem.ts';

/** What notes are heard in: a stem, or the whole song. */
export const noteSource = z.enum(['mix', ...stemType.options]);
/** What notes are heard in. */
export type NoteSource = z.infer<typeof noteSource>;

/** A note that was heard. */
export const heardNote = z.object({
  start_ms: z.int().min(0),
  /** Later than the start. */
  end_ms: z.int().min(1),
  /** MIDI number, 60 for middle C. */
  pitch: z.int().min(0).max(127),
  /** From how surely it is heard. */
  velocity: z.int().min(1).max(127),
  /** How far from the pitch it lies over its length, at equal distances in time; only where asked for. */
  bends_cents: z.array(z.int()).optional(),
});
/** A note that was heard. */
export type HeardNote = z.infer<typeof heardNote>;

/** How notes are looked for. */
export const noteSettings = z.object({
  /** How much a note must begin: lower finds more of them. */
  onset_threshold: z.number().min(0.05).max(0.95),
  /** How much a note must sound to go on: lower makes longer ones. */
  frame_threshold: z.number().min(0.05).max(0.95),
  /** Shorter ones are left out. */
  minimum_note_ms: z.int().min(20).max(2000),
  /** Whether one sounds at a time. */
  monophonic: z.boolean(),
});

/** The notes of a track or of one of its stems, without the notes. */
export const transcription = noteSettings.extend({
  id: uuid,
  track_id: uuid,
  job_id: uuid,
  source: noteSource,
  /** The stem that was listened to; null for the whole song, and for a stem that is gone. */
  stem_id: uuid.nullable(),
  note_count: z.int().min(0),
  created_at: timestamp,
});
/** The notes of a track or of one of its stems, without the notes. */
export type Transcription = z.infer<typeof transcription>;

/** The notes of a track or of one of its stems, by their beginnings. */
export const transcriptionWithNotes = transcription.extend({ notes: z.array(heardNote) });
/** The notes of a track or of one of its stems. */
export type TranscriptionWithNotes = z.infer<typeof transcriptionWithNotes>;

/** A job that looks for notes; `result` is null until it is completed, and when newer notes have taken its place. */
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
/** A job that looks for notes. */
export type NotesJob = z.infer<typeof notesJob>;
