import { createFourStemSeparator, type FourStemEstimates, type StereoSound } from './four-stems.ts';
import { networkBandEnergies, shareGuitarAndPiano } from './guitar-piano-shares.ts';
import { createPlaneLender } from './planes.ts';
import { readShareNetwork } from './share-network.ts';
import { createSpectrogramTransform, type StereoSpectrogram } from './stereo-spectrogram.ts';

/** The five estimated stems; what they leave of the mixture is the sixth, `other`. */
export interface SixStemEstimates extends FourStemEstimates {
  readonly guitar: StereoSound;
  readonly piano: StereoSound;
}

/** Separates one segment after another; not shared between threads. */
export interface SixStemSeparator {
  /**
   * As {@link createFourStemSeparator}, with guitar and piano taken out of what it leaves.
   *
   * @param report told the part that is done, 0 to 1, never falling
   * @returns the stems, and the logarithm of the odds that guitar and piano are in the segment at all
   * @throws RangeError when the sides differ in length
   */
  separate(
    left: Float32Array,
    right: Float32Array,
    report?: (part: number) => void,
  ): {
    readonly stems: SixStemEstimates;
    readonly presence: { readonly guitar: number; readonly piano: number };
  };
}

/** How much of the time the four stems take. */
const fourStemsPart = 0.8;

/**
 * The refined division into four stems, whose `other` a network divides once more. Guitar and piano are told apart
 * roughly: their shares are those of bands, not of notes.
 *
 * @param weights of the network, see {@link readShareNetwork}
 */
export async function createSixStemSeparator(weights: Uint8Array): Promise<SixStemSeparator> {
  const planes = createPlaneLender();
  const fourStems = await createFourStemSeparator('refined', planes);
  const network = readShareNetwork(weights);
  const transform = await createSpectrogramTransform();
  const giveBack = ({ leftRe, leftIm, rightRe, rightIm }: StereoSpectrogram): void =>
    planes.give(leftRe, leftIm, rightRe, rightIm);
  return {
    separate(left, right, report = () => {}) {
      const { vocals, drums, bass } = fourStems.separate(left, right, (part) => report(fourStemsPart * part));
      const rest = (side: Float32Array, name: 'left' | 'right'): Float32Array => {
        const [v, d, b] = [vocals[name], drums[name], bass[name]];
        const remainder = planes.take(side.length);
        for (let i = 0; i < remainder.length; i++) {
          remainder[i] = (side[i] as number) - (v[i] as number) - (d[i] as number) - (b[i] as number);
        }
        return remainder;
      };
      const mixture = transform.analyse(left, right, planes);
      const mixtureEnergies = networkBandEnergies(mixture);
      giveBack(mixture);
      const sides = [rest(left, 'left'), rest(right, 'right')] as const;
      const other = transform.analyse(...sides, planes);
      planes.give(...sides);
      const shares = shareGuitarAndPiano(other, mixtureEnergies, network, planes, (part) =>
        report(fourStemsPart + (0.95 - fourStemsPart) * part),
      );
      const guitar = transform.synthesise(other, shares.guitar);
      const piano = transform.synthesise(other, shares.piano);
      giveBack(other);
      planes.give(shares.guitar, shares.piano);
      report(1);
      return { stems: { vocals, drums, bass, guitar, piano }, presence: shares.presence };
    },
  };
}
