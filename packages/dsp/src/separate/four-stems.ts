import { estimateAveragedMasks } from './averaged-masks.ts';
import { type BufferPool, createBufferPool } from './buffer-pool.ts';
import { refineStems } from './refine-stems.ts';
import { sharpenOnsets } from './sharpen-onsets.ts';
import { type EstimateMasks, estimateMasksAtOnce } from './stem-masks.ts';
import { createSpectrogramTransform, type StereoSpectrogram, writeMagnitude } from './stereo-spectrogram.ts';
import { estimateMasksVoiceFirst } from './voice-first-masks.ts';

/** Two audio channels of equal length, samples nominally −1 to 1. */
export interface StereoAudio {
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/** Three estimated stems as long as the mixture; the residual is the fourth, `other`. */
export interface FourStemEstimates {
  readonly vocals: StereoAudio;
  readonly drums: StereoAudio;
  readonly bass: StereoAudio;
}

/** Separates segments, in one thread. */
export interface FourStemSeparator {
  /**
   * Estimates the stems of a segment of 44.1 kHz stereo, ideally 10 to 30 s long. Deterministic; silence gives silence.
   *
   * @param report receives the fraction done, 0 to 1, never falling
   * @throws RangeError if the audio channels differ in length
   */
  separate(left: Float32Array, right: Float32Array, report?: (part: number) => void): FourStemEstimates;
}

/**
 * How masks are estimated: `plain`, independently of each other; `voice-first`, vocals first and the others from the
 * rest; `refined`, the mean of both, refined by a second pass.
 */
export type FourStemRecipe = 'plain' | 'voice-first' | 'refined';

const firstPass: Readonly<Record<FourStemRecipe, EstimateMasks>> = {
  plain: estimateMasksAtOnce,
  'voice-first': estimateMasksVoiceFirst,
  refined: estimateAveragedMasks,
};

/** Number of spectra that model each stem in the second pass. */
const spectrumCounts = { vocals: 20, drums: 10, bass: 8, other: 24 } as const;

/**
 * Creates a separator of the built-in methods, which need no weights.
 *
 * ```
 * spectrogram → masks (at once, voice first, or their mean), which sum to at most 1
 *             → (refined: spectra and spatial covariance of each stem) → stems → onsets as sharp as in the mixture
 * ```
 *
 * Masks follow from properties of the sources: drums are broadband, short and recur; the bass is the lowest pitch; a
 * voice is in the centre, does not repeat exactly and follows one gliding pitch. Nothing is learned.
 *
 * @param pool provides the memory; all of it is released after each segment
 */
export async function createFourStemSeparator(
  recipe: FourStemRecipe = 'plain',
  pool: BufferPool = createBufferPool(),
): Promise<FourStemSeparator> {
  const transform = await createSpectrogramTransform();

  /** Runs the second pass on the stems of the first. */
  const refine = (
    mixture: StereoSpectrogram,
    { left, right }: StereoAudio,
    { vocals, drums, bass }: FourStemEstimates,
  ): FourStemEstimates => {
    const rest = (side: Float32Array, name: 'left' | 'right'): Float32Array =>
      side.map(
        (x, i) => x - (vocals[name][i] as number) - (drums[name][i] as number) - (bass[name][i] as number),
      );
    const other = { left: rest(left, 'left'), right: rest(right, 'right') };
    const rough = [
      { audio: vocals, spectra: spectrumCounts.vocals },
      { audio: drums, spectra: spectrumCounts.drums },
      { audio: bass, spectra: spectrumCounts.bass },
      { audio: other, spectra: spectrumCounts.other },
    ];
    const [refinedVocals, refinedDrums, refinedBass] = refineStems(transform, mixture, rough, 3, pool) as [
      StereoAudio,
      StereoAudio,
      StereoAudio,
    ];
    return { vocals: refinedVocals, drums: refinedDrums, bass: refinedBass };
  };

  return {
    separate(left, right, report = () => {}) {
      if (left.length !== right.length) {
        throw new RangeError(`both sides must have one length (got ${left.length} and ${right.length})`);
      }
      const firstPart = recipe === 'refined' ? 0.5 : 1;
      const spectrogram = transform.analyse(left, right, pool);
      const magnitude = pool.acquire(spectrogram.leftRe.length);
      writeMagnitude(spectrogram, magnitude);
      report(0.05 * firstPart);
      const masks = firstPass[recipe](spectrogram, magnitude, pool, (part) =>
        report((0.05 + 0.85 * part) * firstPart),
      );
      const first = {
        vocals: transform.synthesise(spectrogram, masks.vocals),
        drums: transform.synthesise(spectrogram, masks.drums),
        bass: transform.synthesise(spectrogram, masks.bass),
      };
      pool.release(magnitude, masks.vocals, masks.drums, masks.bass);
      report(firstPart);
      const stems = recipe === 'refined' ? refine(spectrogram, { left, right }, first) : first;
      sharpenOnsets({ left, right }, stems);
      pool.release(spectrogram.leftRe, spectrogram.leftIm, spectrogram.rightRe, spectrogram.rightIm);
      report(1);
      return stems;
    },
  };
}
