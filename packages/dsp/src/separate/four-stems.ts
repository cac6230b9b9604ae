import { bassShare } from './bass-share.ts';
import { drumShare } from './drum-share.ts';
import { createPlaneLender } from './planes.ts';
import { refineStems } from './refine-stems.ts';
import { createSpectrogramTransform, type StereoSpectrogram, writeMagnitude } from './stereo-spectrogram.ts';
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

/** How the stems are divided: at once, or in a second round by what the first has found (slower, cleaner). */
export type FourStemRecipe = 'plain' | 'refined';

/** How many repeated spectra describe each stem in the second round. */
const spectraOf = { vocals: 20, drums: 10, bass: 8, other: 24 } as const;

/**
 * The built-in method without weights.
 *
 * ```
 * spectrogram → struck? (medians, recurring blows) → low pitch? (bass line) → middle, not repeating, sung melody?
 *             → shares of every bin, which sum to 1 with what is left → (refined: levels and positions) → stems
 * ```
 *
 * Every bin is divided by evidence from the theory of each kind of sound: drums are broad in frequency, short and
 * recur; the bass is the lowest pitch; a voice stands in the middle, does not repeat itself exactly, follows one
 * wandering pitch. Nothing is learned, so it is never better than these rules hold, and it is fast: about one
 * fifteenth of the sound's duration on one core, and two to three times that when refined.
 */
export async function createFourStemSeparator(recipe: FourStemRecipe = 'plain'): Promise<FourStemSeparator> {
  const transform = await createSpectrogramTransform();
  const planes = createPlaneLender();

  /** The second round, from the stems of the first. */
  const refine = (
    mixture: StereoSpectrogram,
    { left, right }: StereoSound,
    { vocals, drums, bass }: FourStemEstimates,
  ): FourStemEstimates => {
    const rest = (side: Float32Array, name: 'left' | 'right'): Float32Array =>
      side.map(
        (x, i) => x - (vocals[name][i] as number) - (drums[name][i] as number) - (bass[name][i] as number),
      );
    const other = { left: rest(left, 'left'), right: rest(right, 'right') };
    const rough = [
      { sound: vocals, spectra: spectraOf.vocals },
      { sound: drums, spectra: spectraOf.drums },
      { sound: bass, spectra: spectraOf.bass },
      { sound: other, spectra: spectraOf.other },
    ];
    const [refinedVocals, refinedDrums, refinedBass] = refineStems(transform, mixture, rough, 3, planes) as [
      StereoSound,
      StereoSound,
      StereoSound,
    ];
    return { vocals: refinedVocals, drums: refinedDrums, bass: refinedBass };
  };

  return {
    separate(left, right, report = () => {}) {
      if (left.length !== right.length) {
        throw new RangeError(`both sides must have one length (got ${left.length} and ${right.length})`);
      }
      const firstPart = recipe === 'plain' ? 1 : 0.4;
      const spectrogram = transform.analyse(left, right, planes);
      const magnitude = planes.take(spectrogram.leftRe.length);
      writeMagnitude(spectrogram, magnitude);
      report(0.05 * firstPart);
      const drums = drumShare(magnitude, planes);
      report(0.4 * firstPart);
      const bass = bassShare(magnitude, drums, planes);
      report(0.5 * firstPart);
      const foreground = voiceForeground(spectrogram, magnitude, planes);
      report(0.7 * firstPart);
      const vocals = takeVoiceShare(magnitude, drums, bass, foreground, planes);
      report(0.9 * firstPart);
      planes.give(foreground);
      const first = {
        vocals: transform.synthesise(spectrogram, vocals),
        drums: transform.synthesise(spectrogram, drums),
        bass: transform.synthesise(spectrogram, bass),
      };
      planes.give(magnitude, drums, bass, vocals);
      report(firstPart);
      const stems = recipe === 'plain' ? first : refine(spectrogram, { left, right }, first);
      planes.give(spectrogram.leftRe, spectrogram.leftIm, spectrogram.rightRe, spectrogram.rightIm);
      report(1);
      return stems;
    },
  };
}
