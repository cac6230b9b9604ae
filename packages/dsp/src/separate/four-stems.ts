import { medianAlongFrequency, medianAlongTime } from './sliding-median.ts';
import { binCount, createSpectrogramTransform, frameSize } from './stereo-spectrogram.ts';

/** Two sides of equal length. */
export interface StereoSound {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/** The three estimated stems; what they leave of the mixture is the fourth, `other`. */
export interface FourStemEstimates {
  readonly vocals: StereoSound;
  readonly drums: StereoSound;
  readonly bass: StereoSound;
}

/** Separates segments of 44.1 kHz stereo. */
export interface FourStemSeparator {
  separate(left: Float32Array, right: Float32Array, report?: (part: number) => void): FourStemEstimates;
}

const binHz = 44_100 / frameSize;

/** Separates 44.1 kHz stereo into four stems without weights. */
export async function createFourStemSeparator(): Promise<FourStemSeparator> {
  const transform = createSpectrogramTransform();
  return {
    separate(left, right, report = () => {}) {
      const spectrogram = transform.analyse(left, right);
      const { leftRe, leftIm, rightRe, rightIm } = spectrogram;
      const magnitude = leftRe.map((re, i) =>
        Math.hypot(re, leftIm[i] as number, rightRe[i] as number, rightIm[i] as number),
      );
      report(0.2);
      const steady = medianAlongTime(magnitude, binCount, 8);
      report(0.5);
      const broad = medianAlongFrequency(magnitude, binCount, 15);
      report(0.7);
      const drums = steady;
      const bass = broad;
      const vocals = magnitude;
      for (let i = 0; i < steady.length; i++) {
        const hz = (i % binCount) * binHz;
        const h = (steady[i] as number) ** 2;
        const p = (broad[i] as number) ** 2;
        const drum = p / (p + h + 1e-12);
        const mid =
          ((leftRe[i] as number) + (rightRe[i] as number)) ** 2 +
          ((leftIm[i] as number) + (rightIm[i] as number)) ** 2;
        const side =
          ((leftRe[i] as number) - (rightRe[i] as number)) ** 2 +
          ((leftIm[i] as number) - (rightIm[i] as number)) ** 2;
        drums[i] = drum;
        bass[i] = hz < 200 ? 1 - drum : 0;
        vocals[i] = hz >= 200 && hz < 8000 ? (0.5 * (1 - drum) * mid) / (mid + 4 * side + 1e-12) : 0;
      }
      const stems = {
        vocals: transform.synthesise(spectrogram, vocals),
        drums: transform.synthesise(spectrogram, drums),
        bass: transform.synthesise(spectrogram, bass),
      };
      report(1);
      return stems;
    },
  };
}
