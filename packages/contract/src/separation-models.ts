import { z } from 'zod';
import type { StemType } from './resources/stem.ts';

/** Local separation model. */
export interface SeparationModel {
  readonly stemTypes: readonly StemType[];
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
    description:
      'Vocals, drums, bass and other. The fastest, and needs no model file. Measured on eleven pieces: 3.0, 6.3, 3.3 and 4.9 dB SDR.',
    available: true,
  },
  hybrid_4_ft: {
    stemTypes: four,
    description:
      'The same four stems, divided a second time: 1.2 dB cleaner than hybrid_4 in the mean of eleven pieces (5.2, 7.4, 3.5 and 6.0 dB SDR), about a third as fast. Choirs and doubled voices come out cleaner with hybrid_4.',
    available: true,
  },
  hybrid_6: {
    stemTypes: ['vocals', 'drums', 'bass', 'guitar', 'piano', 'other'],
    description:
      'Six stems: those of hybrid_4_ft, with guitar and piano roughly separated in the remainder (1.0 dB SDR in the median; a third for each gives 0.8). Each is emphasised, not isolated; an absent instrument is silent.',
    available: true,
  },
  alt_4: {
    stemTypes: four,
    description:
      'The same four stems by following the voice: where one person sings it is 1.8 dB cleaner than with hybrid_4 (4.4 instead of 2.7 dB SDR), with choirs 1.5 dB less clean. About half as fast as hybrid_4.',
    available: true,
  },
};
