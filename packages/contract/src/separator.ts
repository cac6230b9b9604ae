import { z } from 'zod';
import { type SeparationModelName, separationModelNames, separationModels } from './separation-models.ts';
import { separatorWeights } from './separation-weights.ts';

/** Sample format of stored stems: 16- or 24-bit integers, or 32-bit floats. */
export const stemBitDepth = z.enum(['16', '24', '32f']);
/** Sample format of stored stems. */
export type StemBitDepth = z.infer<typeof stemBitDepth>;

/** Stems of the built-in engine, in the order in which they are written. */
export const builtInStemTypes = ['vocals', 'drums', 'bass', 'other'] as const;

/**
 * Request line that the separator process reads on its standard input. The caller keeps the input open: end of input
 * cancels the request.
 */
export const separatorRequest = z.strictObject({
  /** Path of the audio, in any format that the service can decode. */
  input_path: z.string().min(1),
  /** Folder for `<stem>.wav`, created if missing. The files appear only after all stems are complete. */
  output_dir: z.string().min(1),
  model: z.enum(separationModelNames),
  bit_depth: stemBitDepth,
  /** Limit to the first seconds (a preview); null for the whole file. */
  max_seconds: z.number().positive().nullable(),
  /** Longer audio is refused unless `max_seconds` shortens it. */
  max_duration_seconds: z.number().positive(),
  /** Networks to use; the built-in methods by default. */
  weights: separatorWeights.optional(),
  /** Whether the process keeps its loaded networks after a result and reads another request; by default it ends. */
  stays: z.boolean().optional(),
});
/** Request to the separator process. */
export type SeparatorRequest = z.infer<typeof separatorRequest>;

/**
 * Returns the arguments of Node with which a separator process is started for a request. The built-in methods drop arrays of
 * some megabytes for each segment: the process collects them itself, and its threads keep little memory for young
 * objects. Installed networks have an allocator of their own.
 */
export function separatorNodeArgs({ weights }: Pick<SeparatorRequest, 'weights'>): readonly string[] {
  return weights === undefined ? ['--max-semi-space-size=2', '--expose-gc'] : [];
}

/** Progress of the separation. `percent` never decreases. */
export const separatorProgress = z.object({
  type: z.literal('progress'),
  percent: z.number().min(0).max(100),
  /** Current stage as text. */
  stage: z.string().optional(),
  /** Estimated seconds left; absent until an estimate exists. */
  eta_seconds: z.number().min(0).optional(),
});
/** Progress of the separation. */
export type SeparatorProgress = z.infer<typeof separatorProgress>;

/** Result: the stems are written. Further messages belong to the next request. */
export const separatorResult = z.object({
  type: z.literal('result'),
  /** Absolute path of the file of each stem type. */
  stems: z.record(z.string(), z.string()),
  duration_ms: z.int().min(0).optional(),
  sample_rate: z.int().positive().optional(),
  channels: z.int().positive().optional(),
  /** Actual sample format of the files; `32f` regardless of the request if a stem exceeds full scale. */
  bit_depth: stemBitDepth.optional(),
  /** Peak of each stem: the largest absolute sample, 1 is full scale. */
  peaks: z.record(z.string(), z.number().min(0)).optional(),
  /** Backend that produced the stems. */
  backend: z.string().optional(),
  /** Median processing time of a segment in the network in ms; absent without a network. */
  segment_ms: z.number().positive().optional(),
  /** Peak resident memory of the process, in MB. */
  peak_mb: z.number().positive().optional(),
  /** Warnings about deviations from the request, one sentence each. */
  warnings: z.array(z.string()).optional(),
});
/** Result of a separation. */
export type SeparatorResult = z.infer<typeof separatorResult>;

/**
 * Codes of {@link separatorError}: a problem with the request, the audio, the disk, the memory or the program itself.
 */
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

/** Failure of the separation, with a message for the user. No message follows and no stem file is left. */
export const separatorError = z.object({
  type: z.literal('error'),
  message: z.string().min(1),
  code: separatorErrorCode.optional(),
});

/** Failure of a separation. */
export type SeparatorError = z.infer<typeof separatorError>;

/**
 * Line on the separator's standard output, which is newline-delimited JSON only.
 *
 * @spec Local separation process
 */
export const separatorMessage = z.discriminatedUnion('type', [
  separatorProgress,
  separatorResult,
  separatorError,
]);
/** Line on the separator's standard output. */
export type SeparatorMessage = z.infer<typeof separatorMessage>;

/**
 * Returns why a model cannot be used now, as a sentence that states the rule and the planned change; null if it can.
 *
 * @spec Separation models
 */
export function modelRefusal(model: SeparationModelName): string | null {
  if (separationModels[model].available) return null;
  const available = separationModelNames.filter((name) => separationModels[name].available);
  return `model must be ${available.join(' or ')} for now (got ${model}). ${model}: ${separationModels[model].description}`;
}
