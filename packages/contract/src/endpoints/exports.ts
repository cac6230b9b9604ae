import { z } from 'zod';
import { endpoint } from '../endpoint.ts';
import { exportFormats, exportFormatTable } from '../export-formats.ts';
import { idParams, uuid } from '../ids.ts';
import { mixBounds } from '../limits.ts';
import { analysisResult } from '../resources/analysis.ts';
import { cue } from '../resources/cue.ts';
import { stemType } from '../resources/stem.ts';

const mediaTypes = exportFormats.map((format) => exportFormatTable[format].mediaType);

/** One of {@link exportFormats}; any other value is a validation error. */
const exportFormat = z.enum(exportFormats);

const trackParams = z.object({ track_id: uuid });

/** Comma-separated stem types. */
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
 * Exports the stems of a track as one ZIP: those of its default separation, or of a given one.
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
    /** Separation; the default one of the track if omitted. */
    job_id: uuid.optional(),
    /** Comma-separated stem types; all by default. */
    stems: stemList.optional(),
  }),
  replyTypes: ['application/zip'],
});

/** Whole number with an optional minus sign. */
const numberText = z
  .string()
  .regex(/^-?\d{1,3}$/, 'must be a whole number')
  .transform(Number);

/** Percentage with at most two decimals. */
const percentText = z
  .string()
  .regex(/^\d{1,3}(\.\d{1,2})?$/, 'must be a number with at most two decimals')
  .transform(Number);

/** Mixes by name: all stems without the singing voices, or only these. */
export const mixPart = z.enum(['instrumental', 'a_cappella']);
/** Mix by name. */
export type MixPart = z.infer<typeof mixPart>;

/**
 * Exports the sum of some stems of a separation as one file, such as karaoke or a cappella. The sum is computed
 * sample by sample from the stored stems; a 16- or 24-bit WAV becomes 32-bit float if the sum exceeds full scale. With
 * another tempo or key it is rendered as the stem player plays it.
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
    /** Separation; the default one of the track if omitted. */
    job_id: uuid.optional(),
    /** Comma-separated stem types to leave out. Exclusive with `only`. */
    without: stemList.optional(),
    /** Comma-separated stem types to keep. */
    only: stemList.optional(),
    /** Mix by name, instead of `without` and `only`. */
    part: mixPart.optional(),
    /** Tempo in percent of the recorded one, with at most two decimals; the pitch stays. */
    tempo: percentText
      .pipe(z.number().min(mixBounds.slowestPercent).max(mixBounds.fastestPercent))
      .default(100),
    /** Pitch shift in semitones; the tempo stays. */
    key: numberText.pipe(z.int().min(-mixBounds.keySemitones).max(mixBounds.keySemitones)).default(0),
  }),
  replyTypes: mediaTypes,
});

/** Media type of {@link exportStemFile}. */
export const stemFileMediaType = 'audio/mp4';

/**
 * Exports a track as a STEM file for DJ software: an MP4 with the mix and four stems, all lossless. With more than
 * four stems, those other than drums, bass and vocals are summed into one.
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
    /** Separation; the default one of the track if omitted. */
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

/** Quantisation grids of a MIDI export: divisions of a whole note, or none. */
export const midiGrids = ['none', '4', '8', '16', '32'] as const;
/** One of {@link midiGrids}. */
export const midiGrid = z.enum(midiGrids);
/** One of {@link midiGrids}. */
export type MidiGrid = z.infer<typeof midiGrid>;

/**
 * Exports the notes of a stem or a whole track as a Standard MIDI File, with the tempi and bars of its analysis.
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
