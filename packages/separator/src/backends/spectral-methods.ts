import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import { createFourStemSeparator, type FourStemSeparator } from '@stem-studio/dsp/separate/four-stems';
import { createVoiceFirstSeparator } from '@stem-studio/dsp/separate/voice-first-stems';

/** The models that need no weights, and what makes the separator of each. */
export const spectralMethods = {
  hybrid_4: () => createFourStemSeparator('plain'),
  hybrid_4_ft: () => createFourStemSeparator('refined'),
  alt_4: () => createVoiceFirstSeparator(),
} as const satisfies Partial<Record<SeparationModelName, () => Promise<FourStemSeparator>>>;

/** A model that needs no weights. */
export type SpectralModel = keyof typeof spectralMethods;

/** Whether a model needs no weights. */
export function isSpectralModel(model: SeparationModelName): model is SpectralModel {
  return model in spectralMethods;
}
