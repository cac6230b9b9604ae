import { z } from 'zod';
import { uuid } from '../ids.ts';
import { analysisStatus } from '../states.ts';
import { gridFields, rhythmAlternative, rhythmFields } from './beat-grid.ts';

/**
 * Features that can be requested.
 *
 * @spec Analysis jobs
 */
export const featureNames = ['tempo', 'key', 'energy', 'spectral', 'mfcc', 'chroma', 'all'] as const;
/** One of {@link featureNames}. */
export const featureName = z.enum(featureNames);
/** One of {@link featureNames}. */
export type FeatureName = z.infer<typeof featureName>;

const fraction = z.number().min(0).max(1);
/** From `start` to `end`, in seconds. */
const labelledSpan = z.object({ start: z.number(), end: z.number(), label: z.string() });

/**
 * Features over time. Matrices are row by row: 13 rows of MFCC, 12 of chroma (C first), 7 of spectral contrast (the
 * lowest band first), with one column per `frame_seconds`; curves have the same columns. Their means stand beside
 * `features` under the same names.
 */
export const featureMatrices = z.object({
  mfcc: z.array(z.array(z.number())).optional(),
  chroma: z.array(z.array(z.number())).optional(),
  /** Decibels in the bands to 200, 400, 800, 1,600, 3,200, 6,400 and 11,025 Hz. */
  spectral_contrast: z.array(z.array(z.number())).optional(),
  /** Hz, as are the next two. */
  spectral_centroid: z.array(z.number()).optional(),
  spectral_rolloff: z.array(z.number()).optional(),
  spectral_bandwidth: z.array(z.number()).optional(),
  zero_crossing_rate: z.array(fraction).optional(),
  frame_seconds: z.number().optional(),
});
/** Features over time. */
export type FeatureMatrices = z.infer<typeof featureMatrices>;

/**
 * Fields that an analysis can detect: the only list of them. The signal processing, the stored rows, the API, the JSON
 * files and the page are typed by it, so a field that one of them lacks does not compile.
 */
export const detectedFields = {
  duration_seconds: z.number(),
  ...rhythmFields,
  /** Other rhythms that the track may have, the most probable first. Empty where there is no doubt and no pulse. */
  rhythm_alternatives: z.array(rhythmAlternative),
  /** Intro, verse, build, drop, chorus, breakdown, bridge or outro, from 0 to the end without gaps. */
  sections: z.array(labelledSpan),
  key: z.string(),
  key_confidence: fraction,
  camelot: z.string(),
  /** Keys from 0 to the end in seconds, more than one only for a certain modulation. */
  keys: z.array(z.object({ start: z.number(), end: z.number(), key: z.string() })),
  /** `C`, `Am`, `G7`, `Fmaj7`, `Dm7`, or `N` for none, from 0 to the end. */
  chords: z.array(labelledSpan),
  energy: fraction,
  /** Energy of each second. */
  energy_curve: z.array(fraction),
  /** Fraction of the seconds that contain singing. */
  vocal_presence: fraction,
  /** Probability of singing in each second. */
  vocal_curve: z.array(fraction),
  loudness_lufs: z.number(),
  /** True peak in dB relative to full scale; −100 in silence. */
  true_peak_db: z.number(),
  /** Estimates, each with its confidence. */
  danceability: fraction,
  danceability_confidence: fraction,
  valence: fraction,
  valence_confidence: fraction,
  spectral_centroid: z.number(),
  spectral_rolloff: z.number(),
  spectral_bandwidth: z.number(),
  spectral_contrast: z.array(z.number()),
  zero_crossing_rate: z.number(),
  features: featureMatrices,
} as const;

/** Fields detected by one analysis. Fields of features that were not requested are absent. */
export const detectedAnalysis = z.object(detectedFields).partial();
/** Fields detected by one analysis. */
export type DetectedAnalysis = z.infer<typeof detectedAnalysis>;

/**
 * Analysis of a track or job. The result of a job is as it was detected; in that of a track the beats set by its owner
 * replace the detected ones, and `grid_source` says so.
 */
export const analysisResult = z.object({ ...detectedFields, ...gridFields }).partial();
/** Analysis of a track or job. */
export type AnalysisResult = z.infer<typeof analysisResult>;

/** Analysis job; `result` is null until it is completed. */
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
/** Analysis job. */
export type AnalysisJob = z.infer<typeof analysisJob>;
