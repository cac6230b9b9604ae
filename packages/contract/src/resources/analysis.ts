import { z } from 'zod';
import { uuid } from '../ids.ts';
import { analysisStatus } from '../states.ts';
import { gridFields, rhythmFields } from './beat-grid.ts';

/**
 * Features a caller may ask for.
 *
 * @spec Analysis jobs
 */
export const featureNames = ['tempo', 'key', 'energy', 'spectral', 'mfcc', 'chroma', 'all'] as const;
/** One of {@link featureNames}. */
export const featureName = z.enum(featureNames);
/** One of {@link featureNames}. */
export type FeatureName = z.infer<typeof featureName>;

const share = z.number().min(0).max(1);
/** From `start` to `end`, in seconds. */
const labelledSpan = z.object({ start: z.number(), end: z.number(), label: z.string() });

/**
 * What an analysis found. Fields of features that were not asked for are absent. Matrices are row by row: 13 rows of
 * MFCC, 12 of chroma (C first), 7 of spectral contrast (the lowest band first), a column each `features.frame_seconds`;
 * so are the curves of the spectrum, whose means stand beside `features` under the same names. The result of a job is as it
 * was found; that of a track has the beats that its owner set in the place of those that were heard, and says so.
 */
export const analysisResult = z
  .object({
    duration_seconds: z.number(),
    ...rhythmFields,
    ...gridFields,
    /** Intro, verse, build, drop, chorus, breakdown, bridge or outro, from 0 to the end without gaps. */
    sections: z.array(labelledSpan),
    key: z.string(),
    key_confidence: share,
    camelot: z.string(),
    /** Keys from 0 to the end in seconds, more than one only where a modulation is certain. */
    keys: z.array(z.object({ start: z.number(), end: z.number(), key: z.string() })),
    /** `C`, `Am`, `G7`, `Fmaj7`, `Dm7`, or `N` for none, from 0 to the end. */
    chords: z.array(labelledSpan),
    energy: share,
    /** Energy of each second. */
    energy_curve: z.array(share),
    /** The share of the seconds in which somebody sings, and how likely it is in each second. */
    vocal_presence: share,
    vocal_curve: z.array(share),
    loudness_lufs: z.number(),
    /** Highest point between the samples too, dB against full scale; −100 in silence. */
    true_peak_db: z.number(),
    /** Estimates, each with how far to trust it. */
    danceability: share,
    danceability_confidence: share,
    valence: share,
    valence_confidence: share,
    spectral_centroid: z.number(),
    spectral_rolloff: z.number(),
    spectral_bandwidth: z.number(),
    spectral_contrast: z.array(z.number()),
    zero_crossing_rate: z.number(),
    features: z.object({
      mfcc: z.array(z.array(z.number())).optional(),
      chroma: z.array(z.array(z.number())).optional(),
      /** Decibels in the bands to 200, 400, 800, 1,600, 3,200, 6,400 and 11,025 Hz. */
      spectral_contrast: z.array(z.array(z.number())).optional(),
      /** Hz, as are the next two. */
      spectral_centroid: z.array(z.number()).optional(),
      spectral_rolloff: z.array(z.number()).optional(),
      spectral_bandwidth: z.array(z.number()).optional(),
      zero_crossing_rate: z.array(share).optional(),
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
