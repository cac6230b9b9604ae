import {
  type DetectedAnalysis,
  detectedFields,
  type FeatureMatrices,
  featureMatrices,
} from '@stem-studio/contract/resources/analysis';
import type { RhythmFields } from '@stem-studio/contract/resources/beat-grid';
import { z } from 'zod';
import { storedJson } from '../../platform/db/stored-json.ts';

/** Accepts the fields of the contract and no others, so that none is dropped unnoticed before it is stored. */
const newAnalysis = z
  .strictObject({ ...detectedFields, features: z.strictObject(featureMatrices.shape) })
  .partial();

/** Parses the result of the analysis process. Throws if a field is unknown or has the wrong type. */
export function parseNewAnalysis(found: unknown): DetectedAnalysis {
  return newAnalysis.parse(found);
}

/**
 * Accepts any object, because the matrices were checked before they were stored. Those of an hour hold more than a
 * million numbers.
 */
const storedMatrices = z.custom<FeatureMatrices>((value) => typeof value === 'object' && value !== null);

/** Result of an analysis job, or some of its fields. A field that is absent or unreadable counts as not detected. */
export const storedAnalysis = storedJson<DetectedAnalysis>(
  'result of an analysis',
  z.object({ ...detectedFields, features: storedMatrices }).partial(),
  { defaults: {} },
);

/** Returns the rhythm of a stored analysis; absent fields mean that no pulse was detected. */
export function rhythmIn({
  tempo = 0,
  tempo_confidence = 0,
  tempo_stable = false,
  tempo_curve = [],
  time_signature = '',
  beat_frames = [],
  beats = [],
  downbeats = [],
}: DetectedAnalysis): RhythmFields {
  return {
    tempo,
    tempo_confidence,
    tempo_stable,
    tempo_curve,
    time_signature,
    beat_frames,
    beats,
    downbeats,
  };
}
