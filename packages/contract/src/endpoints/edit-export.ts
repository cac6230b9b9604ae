import { z } from 'zod';
import { intBetween } from '../bounded-number.ts';
import { endpoint } from '../endpoint.ts';
import { dataOf } from '../envelope.ts';
import { exportFormats, exportFormatTable } from '../export-formats.ts';
import { idParams } from '../ids.ts';
import { editBounds } from '../limits.ts';
import { editBitDepth, editNormalization } from '../resources/edit-output.ts';
import { mixExport, projectContent } from '../resources/mix.ts';
import { midiGrid } from './exports.ts';

/** Position in ms. */
const ms = intBetween(0, editBounds.ms);

/** A part of the timeline. */
interface Range {
  readonly start_ms?: number | undefined;
  readonly end_ms?: number | undefined;
}

/** Returns a schema that requires both ends of a range or none, the end after the start. */
const withRange = <T extends z.ZodType<Range>>(schema: T) =>
  schema
    .refine(({ start_ms, end_ms }) => (start_ms === undefined) === (end_ms === undefined), {
      error: 'must be given together with start_ms',
      path: ['end_ms'],
    })
    .refine(({ start_ms = 0, end_ms = 1 }) => end_ms > start_ms, {
      error: 'must be after start_ms',
      path: ['end_ms'],
    });

/** How chords are written to a MIDI file. */
export const midiChords = z.enum(['text', 'notes']);
/** How chords are written to a MIDI file. */
export type MidiChords = z.infer<typeof midiChords>;

/** Position in ms, as text of an address. */
const msText = z.coerce.number().pipe(z.int().min(0).max(editBounds.ms)).optional();

/**
 * Mixes uploaded stems by an edit manifest: multipart with `track_id`, one part `stems[]` for each stem, named by its
 * type (`vocals.wav`), and `manifest`, the JSON of `editManifest`. The reply is a WAV file.
 *
 * @spec Editor exports
 */
export const exportEdit = endpoint({
  method: 'POST',
  path: '/api/daw/export',
  summary: 'Mix stems by an edit manifest',
  auth: 'cookie',
  limit: 'mix',
  status: 200,
  errors: ['NOT_FOUND', 'QUOTA_EXCEEDED'],
  bodyKind: 'multipart',
  parts: { track_id: 'text', manifest: 'text', 'stems[]': 'files' },
  replyTypes: ['audio/wav'],
});

/**
 * Renders a project with its stored stems into a file, by the renderer that the page plays with.
 *
 * @spec Editor exports
 */
export const exportProject = endpoint({
  method: 'GET',
  path: '/export/project/:id',
  summary: 'A project of the editor as one file',
  auth: 'api',
  scope: 'exports:read',
  limit: 'mix',
  status: 200,
  errors: ['NOT_FOUND', 'PROJECT_WITHOUT_STEMS'],
  params: idParams,
  query: withRange(
    z.strictObject({
      format: z.enum(exportFormats).default('wav'),
      /** Sample format of WAV and FLAC (`32f` is 24 bits there); without effect for MP3. Integers of 16 bits are dithered. */
      bit_depth: editBitDepth.default('24'),
      normalize: editNormalization.default('none'),
      /** Part of the timeline in ms; all of it by default. */
      start_ms: msText,
      end_ms: msText,
    }),
  ),
  replyTypes: exportFormats.map((format) => exportFormatTable[format].mediaType),
});

/**
 * Exports a project as a Standard MIDI File: the notes of each lane, chords, cue points and markers, with tempi and bars so
 * that the beats of the song are on quarter notes where the project has them.
 *
 * @spec Notes of lanes
 */
export const exportProjectMidi = endpoint({
  method: 'GET',
  path: '/export/project/:id/midi',
  summary: 'Notes, chords, beats and cue points of a project as a MIDI file',
  auth: 'api',
  scope: 'exports:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  query: z.strictObject({
    /** Moves notes to the nearest part of a whole note. */
    quantize: midiGrid.default('none'),
    /** Chords as texts, or as notes too. */
    chords: midiChords.default('text'),
  }),
  replyTypes: ['audio/midi'],
});

/**
 * Renders a project in the background, with progress: the mix, or a ZIP of its lanes as they are mixed. The job is a mix
 * job: `GET /api/mixes/:id` tells its progress, `GET /api/mixes/:id/file` returns the file, which is kept for a day. It
 * renders the project as it is when the job starts. The unfinished job of the same export is returned with 200.
 *
 * @spec Editor exports
 */
export const createProjectExport = endpoint({
  method: 'POST',
  path: '/api/projects/:id/exports',
  summary: 'Render a project in the background',
  auth: 'api',
  scope: 'jobs:write',
  limit: 'mix',
  answersOnce: true,
  status: 201,
  errors: ['NOT_FOUND', 'PROJECT_WITHOUT_STEMS', 'QUOTA_EXCEEDED'],
  params: idParams,
  body: withRange(
    z.strictObject({
      content: projectContent.default('mix'),
      format: z.enum(exportFormats).default('wav'),
      bit_depth: editBitDepth.default('24'),
      normalize: editNormalization.default('none'),
      /** Part of the timeline; all of it by default. */
      start_ms: ms.optional(),
      end_ms: ms.optional(),
    }),
  ),
  reply: dataOf(mixExport),
});
