import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import type { FourStemRecipe } from '@stem-studio/dsp/separate/four-stems';

/** The models of four stems, and how each divides. */
export const fourStemRecipes = {
  hybrid_4: 'plain',
  hybrid_4_ft: 'refined',
  alt_4: 'voice-first',
} as const satisfies Partial<Record<SeparationModelName, FourStemRecipe>>;

/** A model that the built-in engine serves. */
export type SpectralModel = keyof typeof fourStemRecipes | 'hybrid_6';

/** Whether the built-in engine serves a model. */
export function isSpectralModel(model: SeparationModelName): model is SpectralModel {
  return model in fourStemRecipes || model === 'hybrid_6';
}
