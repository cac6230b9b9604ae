import { z } from 'zod';
import { exportFormats, exportFormatTable } from '../export-formats.ts';
import { timestamp, uuid } from '../ids.ts';
import { mixBounds } from '../limits.ts';
import { processingStatus } from '../states.ts';
import { editNormalization } from './edit-output.ts';
import { stemType } from './stem.ts';

/** What a row of a mix plays: a stem, or the whole song (`mix`). */
const mixSource = z.enum([...stemType.options, 'mix']);

/** Gain of an equaliser band in dB; null kills the band. */
const bandGain = z.number().min(mixBounds.eqDb.min).max(mixBounds.eqDb.max).nullable();

/** One row of a mix, as the player has it. */
export const mixRow = z.strictObject({
  source: mixSource,
  /** 1 is as recorded; 0 for a muted row. */
  volume: z.number().min(0).max(mixBounds.volume).default(1),
  /** −1 (left) to 1 (right). */
  pan: z.number().min(-1).max(1).default(0),
  /** Gains of the bands in dB; null kills a band. */
  eq: z
    .strictObject({ low: bandGain.default(0), mid: bandGain.default(0), high: bandGain.default(0) })
    .default({ low: 0, mid: 0, high: 0 }),
});
/** One row of a mix. */
export type MixRow = z.infer<typeof mixRow>;

const bitDepth = z.enum(['16', '24']);

/** Settings of a mix: what the player plays, and the file to write. */
export const mixSettings = z.strictObject({
  /** Separation whose stems are mixed; null for the whole song. */
  job_id: uuid.nullable().default(null),
  /** Rows that are audible; stems without a row are silent. */
  rows: z.array(mixRow).min(1).max(mixSource.options.length),
  /** Tempo in percent of the recorded one, with at most two decimals; the pitch stays. */
  tempo: z.number().min(mixBounds.slowestPercent).max(mixBounds.fastestPercent).multipleOf(0.01).default(100),
  /** Pitch shift in semitones; the tempo stays. */
  key: z.int().min(-mixBounds.keySemitones).max(mixBounds.keySemitones).default(0),
  /** Part of the song in seconds; null for all of it. */
  range: z
    .strictObject({ start: z.number().min(0), end: z.number().min(0) })
    .refine(({ start, end }) => end - start >= mixBounds.shortestSeconds, {
      error: `must be at least ${mixBounds.shortestSeconds} s long`,
    })
    .nullable()
    .default(null),
  format: z.enum(exportFormats).default('wav'),
  /** Bits per sample of WAV and FLAC, 24 by default; not for MP3. */
  bit_depth: bitDepth.optional(),
});
/** Settings of a mix. */
export type MixSettings = z.infer<typeof mixSettings>;

/** What an export of a project of the editor contains: the mix, or a ZIP of its lanes, which add up to the mix. */
export const projectContent = z.enum(['mix', 'stems']);
/** What an export of a project contains. */
export type ProjectContent = z.infer<typeof projectContent>;

/** Project of the editor that is rendered instead of rows. */
export const projectMix = z.strictObject({
  id: uuid,
  name: z.string(),
  content: projectContent,
  normalize: editNormalization,
  /** Whether samples are 32-bit floats, instead of `bit_depth`. */
  is_float: z.boolean().default(false),
});
/** Project of the editor that is rendered. */
export type ProjectMix = z.infer<typeof projectMix>;

/** Arguments of a mix job: the settings of a mix, or a project of the editor with the range and format of the settings. */
export const mixArgs = mixSettings.extend({ project: projectMix.nullable().default(null) });
/** Arguments of a mix job. */
export type MixArgs = z.infer<typeof mixArgs>;

type MixContext = z.core.$RefinementCtx;

function refuse(context: MixContext, path: string, message: string): void {
  context.addIssue({ code: 'custom', path: [path], message });
}

/** Checks the rules of a mix that span several fields. */
function checkMix({ rows, format, bit_depth }: Omit<MixSettings, 'job_id'>, context: MixContext): void {
  const sources = rows.map(({ source }) => source);
  if (new Set(sources).size < sources.length) refuse(context, 'rows', 'must name each stem once');
  if (rows.every(({ volume }) => volume === 0)) refuse(context, 'rows', 'must have a row that is audible');
  if (bit_depth !== undefined && exportFormatTable[format].bitDepths.length === 0)
    refuse(context, 'bit_depth', `must be omitted for ${format}`);
}

/** {@link mixSettings} as a request gives them, with the rules that span several fields. */
export const requestedMix = mixSettings.superRefine((settings, context) => {
  const { rows, job_id } = settings;
  const sources = rows.map(({ source }) => source);
  checkMix(settings, context);
  if (job_id === null && sources.some((source) => source !== 'mix'))
    refuse(context, 'rows', 'must be only "mix" without a job_id');
  if (job_id !== null && sources.includes('mix'))
    refuse(context, 'rows', 'must be stems of the separation job_id');
});

/** {@link mixSettings} of a mix of files, whose rows are named by the files. */
export const fileMix = mixSettings.omit({ job_id: true }).superRefine(checkMix);
/** Settings of a mix of files. */
export type FileMix = z.infer<typeof fileMix>;

/** A mix that is rendered, or whose file is kept. */
export const mixExport = mixArgs.extend({
  /** Id of the job. */
  id: uuid,
  track_id: uuid,
  track_title: z.string(),
  status: processingStatus,
  progress: z.int().min(0).max(100),
  message: z.string(),
  eta_seconds: z.int().min(0).nullable(),
  error: z.string().nullable(),
  created_at: timestamp,
  /** Whether the file can be downloaded. */
  is_ready: z.boolean(),
  /** When the file is deleted; null until it is ready. */
  expires_at: timestamp.nullable(),
});
/** A mix that is rendered, or whose file is kept. */
export type MixExport = z.infer<typeof mixExport>;
