import { z } from 'zod';
import { type SeparationModelName, separationModelNames, separationModels } from './separation-models.ts';
import { separatorWeights } from './separation-weights.ts';

/** How stems are stored: 16- or 24-bit integers, or 32-bit floats. */
export const stemBitDepth = z.enum(['16', '24', '32f']);
/** How stems are stored. */
export type StemBitDepth = z.infer<typeof stemBitDepth>;

/** The stems that the built-in engine writes, in the order in which it writes them. */
export const builtInStemTypes = ['vocals', 'drums', 'bass', 'other'] as const;

/**
 * The line that the separator process reads on its standard input. Whoever asks keeps the input open: its end means
 * that nobody is waiting any more.
 */
export const separatorRequest = z.strictObject({
  /** The sound, in any format that the service decodes itself. */
  input_path: z.string().min(1),
  /** Where `<stem>.wav` appear, each only when all of them are whole. Made when it is missing. */
  output_dir: z.string().min(1),
  model: z.enum(separationModelNames),
  bit_depth: stemBitDepth,
  /** Only the first so many seconds (a preview); null for all of it. */
  max_seconds: z.number().positive().nullable(),
  /** A longer sound is refused, unless `max_seconds` cuts it. */
  max_duration_seconds: z.number().positive(),
  /** The networks to use; the built-in methods unless given. */
  weights: separatorWeights.optional(),
  /** Whether the process stays after a result, with what it has loaded, and reads another request; it ends unless given. */
  stays: z.boolean().optional(),
});
/** What the separator process is asked. */
export type SeparatorRequest = z.infer<typeof separatorRequest>;

/** How far the separation is. `percent` never falls. */
export const separatorProgress = z.object({
  type: z.literal('progress'),
  percent: z.number().min(0).max(100),
  /** What is being done, in words. */
  stage: z.string().optional(),
  /** Estimate of the seconds left; absent until there is one. */
  eta_seconds: z.number().min(0).optional(),
});
/** How far the separation is. */
export type SeparatorProgress = z.infer<typeof separatorProgress>;

/** The stems are written. Nothing follows but what the next request gives. */
export const separatorResult = z.object({
  type: z.literal('result'),
  /** Stem type to the absolute path of its file. */
  stems: z.record(z.string(), z.string()),
  duration_ms: z.int().min(0).optional(),
  sample_rate: z.int().positive().optional(),
  channels: z.int().positive().optional(),
  /** What the files hold; `32f` although less was asked where a stem exceeds full scale. */
  bit_depth: stemBitDepth.optional(),
  /** Largest absolute sample of each stem, 1 is full scale. */
  peaks: z.record(z.string(), z.number().min(0)).optional(),
  /** Which implementation made them. */
  backend: z.string().optional(),
  /** The median time that a segment took in the network, where there was one. */
  segment_ms: z.number().positive().optional(),
  /** The most memory that the process had resident. */
  peak_mb: z.number().positive().optional(),
  /** Sentences about what was not as asked. */
  warnings: z.array(z.string()).optional(),
});
/** The outcome of a separation. */
export type SeparatorResult = z.infer<typeof separatorResult>;

/** Codes of {@link separatorError}: what is wrong with the request, the sound, the disk, the memory or ourselves. */
export const separatorErrorCode = z.enum([
  'invalid_request',
  'model_not_available',
  'unreadable_audio',
  'too_long',
  'disk',
  'memory',
  'internal',
]);
/** One of the codes of {@link separatorError}. */
export type SeparatorErrorCode = z.infer<typeof separatorErrorCode>;

/** The separation failed, with a sentence for people. Nothing follows and no stem file is left. */
export const separatorError = z.object({
  type: z.literal('error'),
  message: z.string().min(1),
  code: separatorErrorCode.optional(),
});

/** Why a separation failed. */
export type SeparatorError = z.infer<typeof separatorError>;

/**
 * A line on the separator's standard output: newline-delimited JSON and nothing else.
 *
 * @spec Local separation process
 */
export const separatorMessage = z.discriminatedUnion('type', [
  separatorProgress,
  separatorResult,
  separatorError,
]);
/** A line on the separator's standard output. */
export type SeparatorMessage = z.infer<typeof separatorMessage>;

/**
 * Why a model cannot be used now, in a sentence that states the rule and what is coming; null when it can.
 *
 * @spec Separation models
 */
export function modelRefusal(model: SeparationModelName): string | null {
  if (separationModels[model].available) return null;
  const available = separationModelNames.filter((name) => separationModels[name].available);
  return `model must be ${available.join(' or ')} for now (got ${model}). ${model}: ${separationModels[model].description}`;
}
