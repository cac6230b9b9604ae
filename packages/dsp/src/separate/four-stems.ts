import { bassShare } from './bass-share.ts';
import { drumShare } from './drum-share.ts';
import { createPlaneLender } from './planes.ts';
import { createSpectrogramTransform } from './stereo-spectrogram.ts';
import { voiceForeground } from './voice-foreground.ts';
import { takeVoiceShare } from './voice-share.ts';

/** Two sides of equal length, samples nominally in −1…1. */
export interface StereoSound {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/** The three estimated stems, as long as the sound; what they leave of the mixture is the fourth, `other`. */
export interface FourStemEstimates {
  readonly vocals: StereoSound;
  readonly drums: StereoSound;
  readonly bass: StereoSound;
}

/** Separates one segment after another; not shared between threads. */
export interface FourStemSeparator {
  /**
   * Estimates the stems of a segment of 44.1 kHz stereo, best of 10 to 30 s. Silence gives silence; a mono sound
   * is one with two equal sides. The same samples always give the same samples.
   *
   * @param report told the part that is done, 0 to 1, never falling
   * @throws RangeError when the sides differ in length
   */
  separate(left: Float32Array, right: Float32Array, report?: (part: number) => void): FourStemEstimates;
}

/**
 * The built-in method without weights.
 *
 * ```
 * spectrogram → struck? (medians, recurring blows) → low pitch? (bass line) → middle, not repeating, sung melody?
 *             → shares of every bin, which sum to 1 with what is left → stems
 * ```
 *
 * Every bin is divided by evidence from the theory of each kind of sound: drums are broad in frequency, short and
 * recur; the bass is the lowest pitch; a voice stands in the middle, does not repeat itself exactly, follows one
 * wandering pitch. Nothing is learned, so it is never better than these rules hold, and it is fast: about one
 * fifteenth of the sound's duration on one core.
 */
export async function createFourStemSeparator(): Promise<FourStemSeparator> {
  const transform = await createSpectrogramTransform();
  const planes = createPlaneLender();
  return {
    separate(left, right, report = () => {}) {
      if (left.length !== right.length) {
        throw new RangeError(`both sides must have one length (got ${left.length} and ${right.length})`);
      }
      const spectrogram = transform.analyse(left, right, planes);
      const { leftRe, leftIm, rightRe, rightIm } = spectrogram;
      const magnitude = planes.take(leftRe.length);
      for (let i = 0; i < magnitude.length; i++) {
        const a = leftRe[i] as number;
        const b = leftIm[i] as number;
        const c = rightRe[i] as number;
        const d = rightIm[i] as number;
        magnitude[i] = Math.sqrt(a * a + b * b + c * c + d * d);
      }
      report(0.05);
      const struck = drumShare(magnitude, planes);
      report(0.4);
      const bass = bassShare(magnitude, struck, planes);
      report(0.5);
      const foreground = voiceForeground(spectrogram, magnitude, planes);
      report(0.7);
      const vocals = takeVoiceShare(magnitude, struck, bass, foreground, planes);
      report(0.9);
      const stems = {
        vocals: transform.synthesise(spectrogram, vocals),
        drums: transform.synthesise(spectrogram, struck),
        bass: transform.synthesise(spectrogram, bass),
      };
      planes.give(leftRe, leftIm, rightRe, rightIm, magnitude, struck, bass, foreground, vocals);
      report(1);
      return stems;
    },
  };
}
