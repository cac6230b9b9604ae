import { createPlaneLender, type PlaneLender } from './planes.ts';
import { refineStems } from './refine-stems.ts';
import { sharpenBlows } from './sharpen-blows.ts';
import { type DivideStems, divideAtOnce } from './stem-shares.ts';
import { createSpectrogramTransform, type StereoSpectrogram, writeMagnitude } from './stereo-spectrogram.ts';
import { divideByBoth } from './two-opinions.ts';
import { divideVoiceFirst } from './voice-first-shares.ts';

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
 * How the stems are divided: all at once; the voice first and the others in what remains; or in both ways, and then in
 * a second round by what the first has found.
 */
export type FourStemRecipe = 'plain' | 'voice-first' | 'refined';

const firstRound: Readonly<Record<FourStemRecipe, DivideStems>> = {
  plain: divideAtOnce,
  'voice-first': divideVoiceFirst,
  refined: divideByBoth,
};

/** How many repeated spectra describe each stem in the second round. */
const spectraOf = { vocals: 20, drums: 10, bass: 8, other: 24 } as const;

/**
 * The built-in methods without weights.
 *
 * ```
 * spectrogram → at once, the voice first, or both → shares of every bin, which sum to 1 with what is left
 *             → (refined: levels and positions of what was found) → stems → blows as sharp as in the mixture
 * ```
 *
 * Every bin is divided by evidence from the theory of each kind of sound: drums are broad in frequency, short and
 * recur; the bass is the lowest pitch; a voice stands in the middle, does not repeat itself exactly, follows one
 * wandering pitch. Nothing is learned, so it is never better than these rules hold.
 *
 * @param planes lends the memory, which is free again after each segment
 */
export async function createFourStemSeparator(
  recipe: FourStemRecipe = 'plain',
  planes: PlaneLender = createPlaneLender(),
): Promise<FourStemSeparator> {
  const transform = await createSpectrogramTransform();

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
      const firstPart = recipe === 'refined' ? 0.5 : 1;
      const spectrogram = transform.analyse(left, right, planes);
      const magnitude = planes.take(spectrogram.leftRe.length);
      writeMagnitude(spectrogram, magnitude);
      report(0.05 * firstPart);
      const shares = firstRound[recipe](spectrogram, magnitude, planes, (part) =>
        report((0.05 + 0.85 * part) * firstPart),
      );
      const first = {
        vocals: transform.synthesise(spectrogram, shares.vocals),
        drums: transform.synthesise(spectrogram, shares.drums),
        bass: transform.synthesise(spectrogram, shares.bass),
      };
      planes.give(magnitude, shares.vocals, shares.drums, shares.bass);
      report(firstPart);
      const stems = recipe === 'refined' ? refine(spectrogram, { left, right }, first) : first;
      sharpenBlows({ left, right }, stems);
      planes.give(spectrogram.leftRe, spectrogram.leftIm, spectrogram.rightRe, spectrogram.rightIm);
      report(1);
      return stems;
    },
  };
}
