import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { exportFormat, exportFormats, exportFormatTable } from '../export-formats.ts';
import { idParams, uuid } from '../ids.ts';
import { analysisResult } from '../resources/analysis.ts';
import { cue } from '../resources/cue.ts';
import { stemType } from '../resources/stem.ts';

const mediaTypes = exportFormats.map((format) => exportFormatTable[format].mediaType);

const trackParams = z.object({ track_id: uuid });

/** Stem types with commas between. */
const stemList = z
  .string()
  .transform((text) => text.split(',').map((name) => name.trim()))
  .pipe(z.array(stemType));

/**
 * Returns one stem as a file.
 *
 * @spec Stem exports
 */
export const exportStem = endpoint({
  method: 'GET',
  path: '/export/stem/:id',
  summary: 'A stem as WAV (the stored file, with ranges), FLAC or MP3',
  auth: 'api',
  scope: 'exports:read',
  status: 200,
  errors: ['NOT_FOUND', 'RANGE_NOT_SATISFIABLE'],
  params: idParams,
  query: z.strictObject({ format: exportFormat.default('wav') }),
  replyTypes: mediaTypes,
});

/**
 * The stems of a track's newest completed full separation, or of another of its separations, in one ZIP.
 *
 * @spec Stem exports
 */
export const exportStems = endpoint({
  method: 'GET',
  path: '/export/stems/:track_id',
  summary: 'The stems of a track as a ZIP that is made while it is sent',
  auth: 'api',
  scope: 'exports:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: trackParams,
  query: z.strictObject({
    format: exportFormat.default('wav'),
    /** Which separation; the newest completed full one unless given. */
    job_id: uuid.optional(),
    /** Stem types with commas between; all unless given. */
    stems: stemList.optional(),
  }),
  replyTypes: ['application/zip'],
});

/**
 * The sum of some stems of a separation as one file: karaoke, a cappella, a song without its drums. Sample by sample
 * the sum of the stored stems; a WAV of 16 or 24 bits becomes one of 32-bit floats where the sum exceeds full scale.
 */
export const exportMix = endpoint({
  method: 'GET',
  path: '/export/mix/:track_id',
  summary: 'A track without some of its stems, or only some of them, as one file',
  auth: 'api',
  scope: 'exports:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: trackParams,
  query: z.strictObject({
    format: exportFormat.default('wav'),
    /** Which separation; the newest completed full one unless given. */
    job_id: uuid.optional(),
    /** Stem types with commas between that are left out. Either this or `only`. */
    without: stemList.optional(),
    /** Stem types with commas between that remain. */
    only: stemList.optional(),
  }),
  replyTypes: mediaTypes,
});

/** Media type of {@link exportStemFile}. */
export const stemFileMediaType = 'audio/mp4';

/**
 * A track as a STEM file for disc jockeys' programs: an MP4 with the song and four stems, all without loss. Of more
 * than four stems those beside drums, bass and vocals are one.
 */
export const exportStemFile = endpoint({
  method: 'GET',
  path: '/export/stem-file/:track_id',
  summary: 'A track as a .stem.mp4 for DJ programs: the song and four stems in Apple Lossless',
  auth: 'api',
  scope: 'exports:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: trackParams,
  query: z.strictObject({
    /** Which separation; the newest completed full one unless given. */
    job_id: uuid.optional(),
  }),
  replyTypes: [stemFileMediaType],
});

/**
 * Returns the newest analysis of a track as a file.
 *
 * @spec Analysis export
 */
export const exportAnalysis = endpoint({
  method: 'GET',
  path: '/export/analysis/:track_id',
  summary: 'The analysis of a track as a JSON file',
  auth: 'api',
  scope: 'exports:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: trackParams,
  reply: z.object({
    track_id: uuid,
    title: z.string(),
    artist: z.string(),
    analysis: analysisResult,
    cues: z.array(cue),
  }),
});

/** Quantisation grids of a MIDI file: divisions of a whole note, or none. */
export const midiGrids = ['none', '4', '8', '16', '32'] as const;
/** One of {@link midiGrids}. */
export const midiGrid = z.enum(midiGrids);
/** One of {@link midiGrids}. */
export type MidiGrid = z.infer<typeof midiGrid>;

/**
 * The notes of a stem or of a whole song as a Standard MIDI File, with the tempi and bars of the track's analysis.
 *
 * @spec Notes
 */
export const exportMidi = endpoint({
  method: 'GET',
  path: '/export/midi/:id',
  summary: 'Notes as a MIDI file',
  auth: 'api',
  scope: 'exports:read',
  status: 200,
  errors: ['NOT_FOUND'],
  params: idParams,
  query: z.strictObject({ quantize: midiGrid.default('none') }),
  replyTypes: ['audio/midi'],
});
