import { z } from 'zod';
import { timestamp, uuid } from '../ids.ts';

/**
 * Stem types of both engines.
 *
 * @spec Separation models
 */
export const stemTypes = [
  'vocals',
  'drums',
  'bass',
  'other',
  'guitar',
  'piano',
  'electric_guitar',
  'acoustic_guitar',
  'synth',
  'strings',
  'wind',
  'backing_vocals',
] as const;
/** One of {@link stemTypes}. */
export const stemType = z.enum(stemTypes);
/** One of {@link stemTypes}. */
export type StemType = z.infer<typeof stemType>;

/**
 * Stem types of the cloud engine, in display order.
 *
 * @spec Cloud separation
 */
export const cloudStemTypes = [
  'vocals',
  'drums',
  'bass',
  'electric_guitar',
  'acoustic_guitar',
  'piano',
  'synth',
  'strings',
  'wind',
  'backing_vocals',
] as const;
/** One of {@link cloudStemTypes}. */
export const cloudStemType = z.enum(cloudStemTypes);
/** One of {@link cloudStemTypes}. */
export type CloudStemType = z.infer<typeof cloudStemType>;

/** Separation engines. */
export const engine = z.enum(['local', 'cloud']);
/** Separation engine. */
export type Engine = z.infer<typeof engine>;

/** Stem record. `file_path` is relative, `stems/<processing_job_id>/<stem_type>.wav`, never absolute. */
export const stem = z.object({
  id: uuid,
  track_id: uuid,
  processing_job_id: uuid,
  stem_type: stemType,
  file_path: z.string(),
  file_size: z.int(),
  duration_ms: z.int(),
  sample_rate: z.int(),
  channels: z.int(),
  /** Peak: the largest absolute sample, 1 is full scale. */
  peak: z.number(),
  engine,
  model: z.string(),
  backend: z.string(),
  created_at: timestamp,
});
/** Stem record. */
export type Stem = z.infer<typeof stem>;
