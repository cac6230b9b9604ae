import { z } from 'zod';
import type { StemType } from './resources/stem.ts';

/** Local separation model. */
export interface SeparationModel {
  readonly stemTypes: readonly StemType[];
  /** Name on the page, such as `Fast`. */
  readonly label: string;
  /** One sentence that says what the model is for, without figures. */
  readonly summary: string;
  /** Description in the list of models. */
  readonly description: string;
  /** Whether it can be requested now; if not, `description` states the planned change. */
  readonly available: boolean;
}

const four = ['vocals', 'drums', 'bass', 'other'] as const satisfies readonly StemType[];

/** Names of the local engine's models; any other name is rejected. */
export const separationModelNames = ['hybrid_4', 'hybrid_4_ft', 'hybrid_6', 'alt_4'] as const;
/** One of {@link separationModelNames}. */
export const separationModel = z.enum(separationModelNames);
/** One of {@link separationModelNames}. */
export type SeparationModelName = z.infer<typeof separationModel>;

/**
 * Models of the local engine.
 *
 * @spec Separation models
 */
export const separationModels: Readonly<Record<SeparationModelName, SeparationModel>> = {
  hybrid_4: {
    stemTypes: four,
    label: 'Fast',
    summary: 'Vocals, drums, bass and other, in the shortest time.',
    description:
      'Vocals, drums, bass and other. The fastest; a network for the voice is built in. Measured on recordings with known stems: 6.1, 6.9, 4.7 and 5.0 dB SDR in the median.',
    available: true,
  },
  hybrid_4_ft: {
    stemTypes: four,
    label: 'Best',
    summary: 'The same four stems in the highest quality; takes more than twice as long.',
    description:
      'The same four stems with the voice completed along its melody and a second division of the rest: vocals 7.5 instead of 6.9 dB SDR in the mean of five whole songs. Less than half as fast as hybrid_4.',
    available: true,
  },
  hybrid_6: {
    stemTypes: ['vocals', 'drums', 'bass', 'guitar', 'piano', 'other'],
    label: 'Six stems',
    summary: 'Adds an approximate guitar and piano to the four stems of Best.',
    description:
      'Six stems: those of hybrid_4_ft, with guitar and piano roughly separated in the remainder. Each is emphasised, not isolated; an instrument that is not detected is silent.',
    available: true,
  },
  alt_4: {
    stemTypes: four,
    label: 'Vocals first',
    summary: 'The purest vocals and instrumental, for karaoke and a cappella.',
    description:
      'The same four stems with harder decisions on the voice, for karaoke and a cappella: vocals and instrumental hold less of each other, at the price of a little more distortion. As fast as hybrid_4.',
    available: true,
  },
};
