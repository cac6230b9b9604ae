import { type BufferPool, createBufferPool } from './buffer-pool.ts';
import { binCount } from './stereo-spectrogram.ts';
import { corners, drawComb, type FilterPositions, filterPositions, modelledBins } from './voice-shape.ts';

const accompanimentSpectra = 30;
const iterations = 12;
/** Lower bound that avoids denormal numbers and division by 0. */
const least = 1e-7;
const leastStrength = 1e-8;
const leastShape = 1e-10;

/** Parameters of the model; arrays are frame by frame. */
interface VoiceModel {
  /** Harmonic comb, {@link modelledBins} values per frame. */
  readonly comb: Float32Array;
  /** Vocal tract filter, {@link corners} + 1 values per frame. */
  readonly filter: Float32Array;
  /** Spectra of the accompaniment, {@link modelledBins} values each, sum 1. */
  readonly spectra: Float32Array;
  /** Activations of the spectra, {@link accompanimentSpectra} per frame. */
  readonly strengths: Float32Array;
}

/**
 * Fits a source–filter model of a voice and a low-rank model of the accompaniment to each frame.
 *
 * The voice is a comb at the harmonics of a known pitch times a smooth filter, free in each frame; the accompaniment is
 * a sum of few spectra. Both are fitted together, so that the comb does not take over crossing partials.
 *
 * @param magnitude {@link binCount} values per frame
 * @param background initial estimate of the accompaniment, of the same shape
 * @param pitchHz pitch of each frame
 * @param pool provides the result
 * @returns mask of the voice over the first {@link modelledBins} bins of each frame, 0 to 1
 * @see Durrieu et al., Source/Filter Model for Unsupervised Main Melody Extraction From Polyphonic Audio Signals
 *   (2010)
 */
export function fitVoiceModel(
  magnitude: Float32Array,
  background: Float32Array,
  pitchHz: Float64Array,
  pool: BufferPool = createBufferPool(),
): Float32Array {
  const frames = pitchHz.length;
  const model: VoiceModel = {
    comb: pool.acquire(frames * modelledBins),
    filter: new Float32Array(frames * (corners + 1)),
    spectra: new Float32Array(accompanimentSpectra * modelledBins),
    strengths: new Float32Array(frames * accompanimentSpectra),
  };
  for (let t = 0; t < frames; t++) drawComb(frameOf(model.comb, t, modelledBins), pitchHz[t] as number);
  startFromBackground(background, model.spectra, model.strengths);
  startFilter(magnitude, background, model.filter);
  const positions = filterPositions();
  const voice = new Float32Array(modelledBins);
  const ratio = new Float32Array(modelledBins);
  const numerators = new Float32Array(model.spectra.length);
  for (let iteration = 0; iteration < iterations; iteration++) {
    numerators.fill(0);
    const sums = new Float64Array(accompanimentSpectra);
    for (let t = 0; t < frames; t++) {
      writeVoice(model, t, positions, voice);
      writeAccompaniment(model, t, ratio);
      for (let k = 0; k < modelledBins; k++) {
        ratio[k] = (magnitude[t * binCount + k] as number) / ((ratio[k] as number) + (voice[k] as number));
      }
      improveFilter(model, t, positions, ratio);
      improveStrengths(model, t, ratio, numerators, sums);
    }
    improveSpectra(model, numerators, sums);
  }
  const mask = pool.acquire(frames * modelledBins);
  for (let t = 0; t < frames; t++) {
    writeVoice(model, t, positions, voice);
    writeAccompaniment(model, t, ratio);
    for (let k = 0; k < modelledBins; k++) {
      const power = (voice[k] as number) ** 2;
      mask[t * modelledBins + k] = power / (power + (ratio[k] as number) ** 2);
    }
  }
  pool.release(model.comb);
  return mask;
}

function frameOf(values: Float32Array, t: number, width: number): Float32Array {
  return values.subarray(t * width, (t + 1) * width);
}

function writeVoice(
  { comb, filter }: VoiceModel,
  t: number,
  positions: FilterPositions,
  voice: Float32Array,
): void {
  const { corner, part } = positions;
  const teeth = frameOf(comb, t, modelledBins);
  const curve = frameOf(filter, t, corners + 1);
  for (let k = 0; k < modelledBins; k++) {
    const at = corner[k] as number;
    const upper = part[k] as number;
    const level = (1 - upper) * (curve[at] as number) + upper * (curve[at + 1] as number);
    voice[k] = (teeth[k] as number) * level;
  }
}

function writeAccompaniment({ spectra, strengths }: VoiceModel, t: number, target: Float32Array): void {
  target.fill(least);
  for (let j = 0; j < accompanimentSpectra; j++) {
    const strength = strengths[t * accompanimentSpectra + j] as number;
    if (strength === 0) continue;
    const from = j * modelledBins;
    for (let k = 0; k < modelledBins; k++) {
      target[k] = (target[k] as number) + strength * (spectra[from + k] as number);
    }
  }
}

/** Applies one multiplicative update to the vocal tract filter of a frame. */
function improveFilter(
  { comb, filter }: VoiceModel,
  t: number,
  { corner, part }: FilterPositions,
  ratio: Float32Array,
): void {
  const teeth = frameOf(comb, t, modelledBins);
  const curve = frameOf(filter, t, corners + 1);
  const fits = new Float32Array(corners + 1);
  const weights = new Float32Array(corners + 1).fill(least);
  for (let k = 0; k < modelledBins; k++) {
    const tooth = teeth[k] as number;
    if (tooth === 0) continue;
    const at = corner[k] as number;
    const upper = (part[k] as number) * tooth;
    const lower = tooth - upper;
    const value = ratio[k] as number;
    fits[at] = (fits[at] as number) + lower * value;
    fits[at + 1] = (fits[at + 1] as number) + upper * value;
    weights[at] = (weights[at] as number) + lower;
    weights[at + 1] = (weights[at + 1] as number) + upper;
  }
  for (let i = 0; i <= corners; i++) {
    curve[i] = (curve[i] as number) * ((fits[i] as number) / (weights[i] as number));
  }
}

/** Applies one multiplicative update to the activations of a frame and accumulates terms for `improveSpectra`. */
function improveStrengths(
  { spectra, strengths }: VoiceModel,
  t: number,
  ratio: Float32Array,
  numerators: Float32Array,
  sums: Float64Array,
): void {
  for (let j = 0; j < accompanimentSpectra; j++) {
    const strength = strengths[t * accompanimentSpectra + j] as number;
    if (strength === 0) continue;
    const from = j * modelledBins;
    let fit = 0;
    for (let k = 0; k < modelledBins; k++) {
      const value = ratio[k] as number;
      fit += (spectra[from + k] as number) * value;
      numerators[from + k] = (numerators[from + k] as number) + strength * value;
    }
    sums[j] = (sums[j] as number) + strength;
    const next = strength * fit;
    strengths[t * accompanimentSpectra + j] = next < leastStrength ? 0 : next;
  }
}

function improveSpectra(
  { spectra, strengths }: VoiceModel,
  numerators: Float32Array,
  sums: Float64Array,
): void {
  for (let j = 0; j < accompanimentSpectra; j++) {
    const from = j * modelledBins;
    let total = 1e-9;
    for (let k = from; k < from + modelledBins; k++) {
      const value = ((spectra[k] as number) * (numerators[k] as number)) / ((sums[j] as number) + 1e-9);
      spectra[k] = Math.max(leastShape, value);
      total += spectra[k] as number;
    }
    for (let k = from; k < from + modelledBins; k++) spectra[k] = (spectra[k] as number) / total;
    for (let i = j; i < strengths.length; i += accompanimentSpectra) {
      strengths[i] = (strengths[i] as number) * total;
    }
  }
}

function startFromBackground(background: Float32Array, spectra: Float32Array, strengths: Float32Array): void {
  const frames = strengths.length / accompanimentSpectra;
  const levels = new Float64Array(frames);
  for (let t = 0; t < frames; t++) {
    for (let k = 0; k < modelledBins; k++) {
      levels[t] = (levels[t] as number) + (background[t * binCount + k] as number);
    }
  }
  const total = levels.reduce((sum, level) => sum + level, 0);
  let passed = 0;
  let j = 0;
  for (let t = 0; t < frames; t++) {
    passed += levels[t] as number;
    for (; j < accompanimentSpectra && passed >= ((j + 0.5) / accompanimentSpectra) * total; j++) {
      const scale = 1 / ((levels[t] as number) + 1e-9);
      for (let k = 0; k < modelledBins; k++) {
        spectra[j * modelledBins + k] = Math.max(
          leastShape,
          scale * (background[t * binCount + k] as number),
        );
      }
    }
    for (let n = 0; n < accompanimentSpectra; n++) {
      strengths[t * accompanimentSpectra + n] =
        ((levels[t] as number) / accompanimentSpectra) * (0.5 + ((t * 7 + n * 13) % 17) / 17);
    }
  }
}

/** Initialises the filter with the level of each frame above the background. */
function startFilter(magnitude: Float32Array, background: Float32Array, filter: Float32Array): void {
  for (let t = 0; t * (corners + 1) < filter.length; t++) {
    let sum = 0;
    for (let at = t * binCount; at < t * binCount + modelledBins; at++) {
      sum += Math.max(0, (magnitude[at] as number) - (background[at] as number));
    }
    frameOf(filter, t, corners + 1).fill((2 * sum) / modelledBins);
  }
}
