import { createBufferPool } from './buffer-pool.ts';
import {
  createFourStemSeparator,
  type EstimateVoiceMasks,
  type FourStemEstimates,
  type StereoAudio,
} from './four-stems.ts';
import { estimateGuitarAndPiano, networkBandEnergies } from './guitar-piano-masks.ts';
import { readMaskNetwork } from './mask-network.ts';
import { createSpectrogramTransform, type StereoSpectrogram } from './stereo-spectrogram.ts';

/** Five estimated stems; the residual is the sixth, `other`. */
export interface SixStemEstimates extends FourStemEstimates {
  readonly guitar: StereoAudio;
  readonly piano: StereoAudio;
}

/** Separates segments, in one thread. */
export interface SixStemSeparator {
  /**
   * Estimates the stems like {@link createFourStemSeparator}, and guitar and piano from its residual.
   *
   * @param report receives the fraction done, 0 to 1, never falling
   * @returns the stems, and the log odds that each of them is present in the segment
   * @throws RangeError if the audio channels differ in length
   */
  separate(
    left: Float32Array,
    right: Float32Array,
    report?: (part: number) => void,
  ): {
    readonly stems: SixStemEstimates;
    readonly presence: Readonly<Record<keyof SixStemEstimates, number>>;
  };
}

/** Fraction of the time spent on the four stems. */
const fourStemsPart = 0.8;

/**
 * Creates a separator that refines four stems and splits their `other` by a network.
 *
 * Guitar and piano are separated coarsely: their masks are per band, not per note.
 *
 * @param weights of the network of guitar and piano, see {@link readMaskNetwork}
 * @param voice estimates the masks of the voice
 */
export async function createSixStemSeparator(
  weights: Uint8Array,
  voice: EstimateVoiceMasks,
): Promise<SixStemSeparator> {
  const pool = createBufferPool();
  const fourStems = await createFourStemSeparator('refined', voice, pool);
  const network = readMaskNetwork(weights);
  const transform = await createSpectrogramTransform();
  const releaseSpectrogram = ({ leftRe, leftIm, rightRe, rightIm }: StereoSpectrogram): void =>
    pool.release(leftRe, leftIm, rightRe, rightIm);
  return {
    separate(left, right, report = () => {}) {
      const four = fourStems.separate(left, right, (part) => report(fourStemsPart * part));
      const { vocals, drums, bass } = four.stems;
      const rest = (side: Float32Array, name: 'left' | 'right'): Float32Array => {
        const [v, d, b] = [vocals[name], drums[name], bass[name]];
        const remainder = pool.acquire(side.length);
        for (let i = 0; i < remainder.length; i++) {
          remainder[i] = (side[i] as number) - (v[i] as number) - (d[i] as number) - (b[i] as number);
        }
        return remainder;
      };
      const mixture = transform.analyse(left, right, pool);
      const mixtureEnergies = networkBandEnergies(mixture);
      releaseSpectrogram(mixture);
      const sides = [rest(left, 'left'), rest(right, 'right')] as const;
      const other = transform.analyse(...sides, pool);
      pool.release(...sides);
      const masks = estimateGuitarAndPiano(other, mixtureEnergies, network, pool, (part) =>
        report(fourStemsPart + (0.95 - fourStemsPart) * part),
      );
      const guitar = transform.synthesise(other, masks.guitar);
      const piano = transform.synthesise(other, masks.piano);
      releaseSpectrogram(other);
      pool.release(masks.guitar, masks.piano);
      report(1);
      return {
        stems: { vocals, drums, bass, guitar, piano },
        presence: { ...four.presence, ...masks.presence },
      };
    },
  };
}
