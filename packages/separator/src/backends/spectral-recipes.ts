import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import type { FourStemRecipe } from '@stem-studio/dsp/separate/four-stems';

/** The models that need no weights, and how each divides. */
export const spectralRecipes = {
  hybrid_4: 'plain',
  hybrid_4_ft: 'refined',
  alt_4: 'voice-first',
} as const satisfies Partial<Record<SeparationModelName, FourStemRecipe>>;

/** A model that needs no weights. */
export type SpectralModel = keyof typeof spectralRecipes;

/** Whether a model needs no weights. */
export function isSpectralModel(model: SeparationModelName): model is SpectralModel {
  return model in spectralRecipes;
}
