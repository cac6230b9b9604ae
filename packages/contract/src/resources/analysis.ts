import { z } from 'zod';
import { uuid } from '../ids.ts';
import { analysisStatus } from '../states.ts';

/**
 * Features a caller may ask for.
 *
 * @spec Analysis job and result
 */
export const featureNames = ['tempo', 'key', 'energy', 'spectral', 'mfcc', 'chroma', 'all'] as const;
/** One of {@link featureNames}. */
export const featureName = z.enum(featureNames);
/** One of {@link featureNames}. */
export type FeatureName = z.infer<typeof featureName>;

/**
 * What an analysis found. Fields of features that were not asked for are absent. Matrices are row by row: 13 rows of
 * MFCC, 12 of chroma (C first), a column each `features.frame_seconds`.
 */
export const analysisResult = z
  .object({
    duration_seconds: z.number(),
    /** Beats a minute; 0 where there is no pulse. */
    tempo: z.number(),
    tempo_confidence: z.number().min(0).max(1),
    tempo_stable: z.boolean(),
    time_signature: z.string(),
    /** Beat times in hops of 512 samples at 22,050 Hz. */
    beat_frames: z.array(z.int()),
    /** Beat times in seconds. */
    beats: z.array(z.number()),
    downbeats: z.array(z.number()),
    key: z.string(),
    key_confidence: z.number().min(0).max(1),
    camelot: z.string(),
    energy: z.number().min(0).max(1),
    loudness_lufs: z.number(),
    spectral_centroid: z.number(),
    spectral_rolloff: z.number(),
    spectral_bandwidth: z.number(),
    spectral_contrast: z.array(z.number()),
    zero_crossing_rate: z.number(),
    features: z.object({
      mfcc: z.array(z.array(z.number())).optional(),
      chroma: z.array(z.array(z.number())).optional(),
      frame_seconds: z.number().optional(),
    }),
  })
  .partial();
/** What an analysis found. */
export type AnalysisResult = z.infer<typeof analysisResult>;

/** An analysis job; `result` is null until it is completed. */
export const analysisJob = z.object({
  id: uuid,
  track_id: uuid,
  status: analysisStatus,
  progress: z.int().min(0).max(100),
  message: z.string(),
  eta_seconds: z.int().nullable(),
  features: z.array(featureName),
  result: analysisResult.nullable(),
  error: z.string().nullable(),
});
/** An analysis job. */
export type AnalysisJob = z.infer<typeof analysisJob>;
