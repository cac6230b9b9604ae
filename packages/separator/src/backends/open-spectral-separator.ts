import { readFile } from 'node:fs/promises';
import { createFourStemSeparator } from '@stem-studio/dsp/separate/four-stems';
import { createSixStemSeparator } from '@stem-studio/dsp/separate/six-stems';
import { createVoiceMaskEstimator } from '@stem-studio/dsp/separate/voice-masks';
import type { StemPresence } from '../stem-presence.ts';
import type { StemEstimates } from './backend.ts';
import { fourStemRecipes, type SpectralModel } from './spectral-recipes.ts';
import { voiceWeights } from './voice-weights.ts';

/** Weights of the network that separates guitar and piano; see `training/`. */
export const guitarPianoWeights = new URL('./guitar-piano.weights', import.meta.url);

/** The stems of a segment. */
export interface SpectralSegment {
  readonly stems: StemEstimates;
  readonly presence: StemPresence;
}

/** Separates a segment. `report` receives the fraction that is done. */
export type SeparateSegment = (
  left: Float32Array,
  right: Float32Array,
  report: (part: number) => void,
) => SpectralSegment;

/** Opens the built-in method of a model, for use in one thread. */
export async function openSpectralSeparator(model: SpectralModel): Promise<SeparateSegment> {
  const voice = await createVoiceMaskEstimator(await readFile(voiceWeights));
  if (model === 'hybrid_6') {
    const six = await createSixStemSeparator(await readFile(guitarPianoWeights), voice);
    return (left, right, report) => {
      const { stems, presence } = six.separate(left, right, report);
      return { stems: { ...stems }, presence };
    };
  }
  const four = await createFourStemSeparator(fourStemRecipes[model], voice);
  return (left, right, report) => {
    const { stems, presence } = four.separate(left, right, report);
    return { stems: { ...stems }, presence };
  };
}
