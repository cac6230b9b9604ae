import { estimateAccompanimentMasks } from './accompaniment-masks.ts';
import { accompanimentLogOdds } from './accompaniment-presence.ts';
import { type BufferPool, createBufferPool } from './buffer-pool.ts';
import { completeVoice } from './complete-voice.ts';
import { refineStems } from './refine-stems.ts';
import { removeVoice, sharpenVoiceMasks, type VoiceMaskPair } from './remove-voice.ts';
import { sharpenOnsets } from './sharpen-onsets.ts';
import { createSpectrogramTransform, type StereoSpectrogram, writeMagnitude } from './stereo-spectrogram.ts';
import { voiceLogOdds } from './voice-evidence.ts';

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

/** A separated segment. */
export interface FourStemResult {
  readonly stems: FourStemEstimates;
  /** Log odds that a stem is present in the segment. */
  readonly presence: { readonly vocals: number; readonly drums: number; readonly bass: number };
}

/** Separates segments, in one thread. */
export interface FourStemSeparator {
  /**
   * Estimates the stems of a segment of 44.1 kHz stereo, ideally 10 to 30 s long. Deterministic; silence gives silence.
   *
   * @param report receives the fraction done, 0 to 1, never falling
   * @throws RangeError if the audio channels differ in length
   */
  separate(left: Float32Array, right: Float32Array, report?: (part: number) => void): FourStemResult;
}

/** Estimates the masks of the voice, as `VoiceMaskEstimator` does by a network. */
export interface EstimateVoiceMasks {
  /**
   * Returns masks that the caller may change and releases to the pool. `report` receives the fraction done, 0 to 1.
   */
  estimate(
    left: Float32Array,
    right: Float32Array,
    report?: (part: number) => void,
    pool?: BufferPool,
  ): VoiceMaskPair;
}

/**
 * How stems are separated: `direct`, in one pass; `refined`, the voice completed along its melody, and the division of
 * the accompaniment refined by a second pass; `pure`, with harder masks for a voice and an instrumental that hold less
 * of each other.
 */
export type FourStemRecipe = 'direct' | 'refined' | 'pure';

const sides = ['left', 'right'] as const;
/** Number of spectra that model each stem of the accompaniment in the second pass. */
const spectrumCounts = { drums: 10, bass: 8, other: 24 } as const;

/** Fraction of the time that passes before each step of a recipe. */
const times: Readonly<Record<FourStemRecipe, { voice: number; masks: number; refinement: number }>> = {
  direct: { voice: 0.45, masks: 0.55, refinement: 0.95 },
  pure: { voice: 0.45, masks: 0.55, refinement: 0.95 },
  refined: { voice: 0.2, masks: 0.5, refinement: 0.65 },
};

/**
 * Creates a separator that takes the voice from a network and divides the rest by rules.
 *
 * ```
 * mixture → voice masks → (refined: completed along the melody; pure: harder) → accompaniment → vocals = mixture − it
 * accompaniment → masks of drums and bass → (refined: spectra and spatial covariance of each stem)
 *               → onsets as sharp as in the mixture → drums, bass
 * ```
 *
 * @param voice estimates the masks of the voice
 * @param pool provides the memory; all of it is released after each segment
 */
export async function createFourStemSeparator(
  recipe: FourStemRecipe,
  voice: EstimateVoiceMasks,
  pool: BufferPool = createBufferPool(),
): Promise<FourStemSeparator> {
  const transform = await createSpectrogramTransform();
  const time = times[recipe];

  /** Turns the spectrogram of a mixture into that of its accompaniment. Returns the log odds of a voice. */
  const takeVoice = (
    spectrogram: StereoSpectrogram,
    magnitude: Float32Array,
    masks: VoiceMaskPair,
    report: (part: number) => void,
  ): number => {
    const logOdds = voiceLogOdds(spectrogram, masks);
    if (recipe === 'pure') sharpenVoiceMasks(masks);
    if (recipe === 'refined') {
      writeMagnitude(spectrogram, magnitude);
      completeVoice(spectrogram, magnitude, masks, pool, report);
    }
    removeVoice(spectrogram, masks);
    return logOdds;
  };

  /** Runs the second pass on drums and bass. */
  const refine = (
    spectrogram: StereoSpectrogram,
    accompaniment: StereoAudio,
    { drums, bass }: { readonly drums: StereoAudio; readonly bass: StereoAudio },
  ): { drums: StereoAudio; bass: StereoAudio } => {
    const other = copyOf(accompaniment, pool);
    subtract(other, drums);
    subtract(other, bass);
    const rough = [
      { audio: drums, spectra: spectrumCounts.drums },
      { audio: bass, spectra: spectrumCounts.bass },
      { audio: other, spectra: spectrumCounts.other },
    ];
    const [refinedDrums, refinedBass] = refineStems(transform, spectrogram, rough, 2, pool) as [
      StereoAudio,
      StereoAudio,
    ];
    for (const { audio } of rough) pool.release(audio.left, audio.right);
    return { drums: refinedDrums, bass: refinedBass };
  };

  return {
    separate(left, right, report = () => {}) {
      if (left.length !== right.length) {
        throw new RangeError(`both sides must have one length (got ${left.length} and ${right.length})`);
      }
      const between =
        (from: number, to: number) =>
        (part: number): void =>
          report(from + (to - from) * part);
      const voiceMasks = voice.estimate(left, right, between(0, time.voice), pool);
      const spectrogram = transform.analyse(left, right, pool);
      const magnitude = pool.acquire(spectrogram.leftRe.length);
      const vocalOdds = takeVoice(spectrogram, magnitude, voiceMasks, between(time.voice, time.masks));
      pool.release(voiceMasks.left, voiceMasks.right);
      report(time.masks);
      const accompaniment = transform.synthesise(spectrogram);
      writeMagnitude(spectrogram, magnitude);
      const masks = estimateAccompanimentMasks(
        magnitude,
        pool,
        between(time.masks, time.masks + 0.8 * (time.refinement - time.masks)),
      );
      const presence = { vocals: vocalOdds, ...accompanimentLogOdds(magnitude, masks) };
      // What is refined does not leave this thread.
      const firstPool = recipe === 'refined' ? pool : undefined;
      const first = {
        drums: transform.synthesise(spectrogram, masks.drums, firstPool),
        bass: transform.synthesise(spectrogram, masks.bass, firstPool),
      };
      pool.release(magnitude, masks.drums, masks.bass);
      report(time.refinement);
      const { drums, bass } = recipe === 'refined' ? refine(spectrogram, accompaniment, first) : first;
      pool.release(spectrogram.leftRe, spectrogram.leftIm, spectrogram.rightRe, spectrogram.rightIm);
      const vocals = accompaniment;
      subtractFrom({ left, right }, vocals);
      const stems = { vocals, drums, bass };
      sharpenOnsets({ left, right }, stems);
      report(1);
      return { stems, presence };
    },
  };
}

/** Returns a copy in arrays of the pool. */
function copyOf({ left, right }: StereoAudio, pool: BufferPool): StereoAudio {
  const copy = { left: pool.acquire(left.length), right: pool.acquire(right.length) };
  copy.left.set(left);
  copy.right.set(right);
  return copy;
}

/** Subtracts a part, in place. */
function subtract(whole: StereoAudio, part: StereoAudio): void {
  for (const side of sides) {
    const [values, parts] = [whole[side], part[side]];
    for (let i = 0; i < values.length; i++) values[i] = (values[i] as number) - (parts[i] as number);
  }
}

/** Replaces a part by the rest of the whole. */
function subtractFrom(whole: StereoAudio, part: StereoAudio): void {
  for (const side of sides) {
    const [values, parts] = [whole[side], part[side]];
    for (let i = 0; i < parts.length; i++) parts[i] = (values[i] as number) - (parts[i] as number);
  }
}
