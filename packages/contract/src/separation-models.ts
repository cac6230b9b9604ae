import { z } from 'zod';
import type { StemType } from './resources/stem.ts';

/** One local separation model. */
export interface SeparationModel {
  readonly stemTypes: readonly StemType[];
  /** What it is, in the words of the models list. */
  readonly description: string;
  /** Whether it can be asked for now; if not, `description` says what is coming. */
  readonly available: boolean;
}

const four = ['vocals', 'drums', 'bass', 'other'] as const satisfies readonly StemType[];

/** Names of the local engine's models; it rejects any other. */
export const separationModelNames = ['hybrid_4', 'hybrid_4_ft', 'hybrid_6', 'alt_4'] as const;
/** One of {@link separationModelNames}. */
export const separationModel = z.enum(separationModelNames);
/** One of {@link separationModelNames}. */
export type SeparationModelName = z.infer<typeof separationModel>;

/**
 * The local engine's models.
 *
 * @spec Processing (separation) job
 */
export const separationModels: Readonly<Record<SeparationModelName, SeparationModel>> = {
  hybrid_4: {
    stemTypes: four,
    description:
      'Vocals, drums, bass and other with the built-in spectral engine; needs no model file. The fastest. Measured on eleven pieces: 3.0, 5.9, 3.0 and 4.9 dB SDR.',
    available: true,
  },
  hybrid_4_ft: {
    stemTypes: four,
    description:
      'The same four stems, the best of the built-in engine: divided as hybrid_4 and as alt_4 do, and then a second time by the sounds and positions that both have found. 1.2 dB cleaner than hybrid_4 in the mean of eleven measured pieces (5.0, 7.4, 3.5 and 5.9 dB SDR), 0.6 dB on the demo songs, and about a third as fast. Choirs and doubled voices come out cleaner with hybrid_4 (on the demo songs 6.0 instead of 5.7 dB).',
    available: true,
  },
  hybrid_6: {
    stemTypes: ['vocals', 'drums', 'bass', 'guitar', 'piano', 'other'],
    description:
      'Six stems. Vocals, drums and bass are those of hybrid_4_ft. Guitar and piano are told apart roughly, by a small network in what those leave: 1.0 dB SDR, the median of thirteen known parts, where a third of the rest for each gives 0.8: either leans forward, and neither comes out alone. One that is not heard anywhere in the song is silent. About two thirds as fast as hybrid_4_ft.',
    available: true,
  },
  alt_4: {
    stemTypes: four,
    description:
      'The same four stems by another method that favours the voice: its melody is followed and it is modelled over what repeats, then drums and bass are looked for in what remains. On five sung pieces the voice is 1.8 dB cleaner than that of hybrid_4 (4.4 instead of 2.7 dB SDR in the mean), less of it stays behind (−8.4 instead of −5.5 dB), bass is 1.1 dB better and other 0.2 dB worse. Of the demo songs, with their choirs, hybrid_4 has the cleaner voice (6.0 instead of 4.5 dB): one melody is followed. Mono files too. About half as fast as hybrid_4.',
    available: true,
  },
};
