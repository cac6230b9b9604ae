import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { idParams, uuid } from '../ids.ts';
import { noteSettings, noteSource, notesJob, transcriptionWithNotes } from '../resources/notes.ts';
import { processingStatus } from '../states.ts';

const { onset_threshold, frame_threshold, minimum_note_ms, monophonic } = noteSettings.shape;

/** Transcribes a stem or the whole track to notes, which replace its previous notes. */
export const transcribe = endpoint({
  method: 'POST',
  path: '/api/notes/transcribe',
  summary: 'Make notes of a stem or a track',
  auth: 'api',
  scope: 'analysis:write',
  limit: 'transcribe',
  answersOnce: true,
  status: 201,
  errors: ['NOT_FOUND', 'TRACK_NOT_DOWNLOADED', 'STEM_WITHOUT_PITCH', 'QUOTA_EXCEEDED'],
  body: z.strictObject({
    track_id: uuid,
    /** Stem of the track; null for the whole track. Drums have no pitch. */
    stem_id: uuid.nullable().default(null),
    onset_threshold: onset_threshold.default(0.5),
    frame_threshold: frame_threshold.default(0.3),
    minimum_note_ms: minimum_note_ms.default(128),
    /** Whether notes do not overlap; true by default for vocals, bass and wind. */
    monophonic: monophonic.optional(),
  }),
  reply: dataOf(z.object({ job_id: uuid, track_id: uuid, source: noteSource, status: processingStatus })),
});

/** Returns a transcription job and its progress. */
export const getNotesJob = endpoint({
  method: 'GET',
  path: '/api/notes/job/:id',
  summary: 'A job that makes notes',
  auth: 'api',
  scope: 'analysis:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  reply: dataOf(notesJob),
});

/** Lists the newest notes of each transcribed stem of a track and of the whole track. */
export const listNotes = endpoint({
  method: 'GET',
  path: '/api/tracks/:id/notes',
  summary: 'Notes of a track',
  auth: 'api',
  scope: 'analysis:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  query: z.strictObject({
    /** Only notes of this stem, or of the whole track (`mix`). */
    source: noteSource.optional(),
    /** Whether notes include pitch bends. */
    bends: z.enum(['true', 'false']).default('false'),
  }),
  reply: dataOf(z.array(transcriptionWithNotes)),
});

/** Deletes the notes of a stem or of the whole song. */
export const deleteNotes = endpoint({
  method: 'DELETE',
  path: '/api/notes/:id',
  summary: 'Delete notes',
  auth: 'api',
  scope: 'analysis:write',
  status: 204,
  errors: ['NOT_FOUND'],
  params: idParams,
});
