import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import type { FourStemRecipe } from '@stem-studio/dsp/separate/four-stems';

/** The separation method of each four-stem model. */
export const fourStemRecipes = {
  hybrid_4: 'direct',
  hybrid_4_ft: 'refined',
  alt_4: 'pure',
} as const satisfies Partial<Record<SeparationModelName, FourStemRecipe>>;

/** A model of the built-in engine. */
export type SpectralModel = keyof typeof fourStemRecipes | 'hybrid_6';

/** Returns whether a model is one of the built-in engine. */
export function isSpectralModel(model: SeparationModelName): model is SpectralModel {
  return model in fourStemRecipes || model === 'hybrid_6';
}
