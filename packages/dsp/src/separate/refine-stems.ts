import { type BufferPool, createBufferPool } from './buffer-pool.ts';
import { factorizeSpectrogram } from './repeated-spectra.ts';
import {
  binCount,
  type SpectrogramTransform,
  type StereoFrame,
  type StereoSpectrogram,
  writeMagnitude,
} from './stereo-spectrogram.ts';

/** Low bins are modelled individually, those above in bands of a constant ratio. */
const singleBins = 120;
const upperBands = 100;
const iterations = 8;
/** Bounds of the factor by which the model may change the level of a band. */
const correction = { least: 0.03, most: 10 } as const;
/** Diffuse part of each stem's spatial covariance, so that no matrix is singular. */
const diffusePart = 0.02;
/** Added to the mixture's power, so that silence does not divide by 0. */
const leastPower = 1e-10;

/** A first estimate of a stem, and the number of spectra of its model. */
export interface RoughStem {
  readonly audio: { readonly left: Float32Array; readonly right: Float32Array };
  readonly spectra: number;
}

/** Model of a stem. */
interface StemModel {
  /** Magnitude of each bin, an array of the pool. */
  readonly level: Float32Array;
  /** See {@link addCovariances}. */
  readonly covariances: Float64Array;
}

/**
 * Models the first estimate of each stem by few spectra and a spatial covariance, and separates the mixture again by
 * these models. The stems sum to the mixture.
 *
 * ```
 * first estimate → spectrogram → matrix factorisation → level of each bin ┐
 *                              → spatial covariance of each bin           ┴→ multichannel Wiener filter → stem
 * ```
 *
 * The first estimates are transformed again, because a masked spectrogram is inconsistent with that of its audio. One
 * pass only: further ones sharpen the stems but drift away from the mixture.
 *
 * @param mixture its spectrogram
 * @param stems all stems; they sum to the mixture
 * @param wanted number of stems to return, from the first
 * @see Ozerov and Févotte, Multichannel Nonnegative Matrix Factorization in Convolutive Mixtures for Audio Source
 *   Separation (2010)
 * @see Duong, Vincent and Gribonval, Under-Determined Reverberant Audio Source Separation Using a Full-Rank
 *   Spatial Covariance Model (2010)
 */
export function refineStems(
  transform: SpectrogramTransform,
  mixture: StereoSpectrogram,
  stems: readonly RoughStem[],
  wanted: number,
  pool: BufferPool = createBufferPool(),
): { left: Float32Array; right: Float32Array }[] {
  const models = stems.map((stem) => createModel(transform, stem, mixture.leftRe.length, pool));
  const refined = models.slice(0, wanted).map((stem) =>
    transform.synthesiseFrames(mixture.frameCount, mixture.sampleCount, (t, frame) => {
      for (let k = 0, at = t * binCount; k < binCount; k++, at++)
        filterBin(mixture, models, stem, k, at, frame);
    }),
  );
  pool.release(...models.map(({ level }) => level));
  return refined;
}

function createModel(
  transform: SpectrogramTransform,
  { audio, spectra }: RoughStem,
  size: number,
  pool: BufferPool,
): StemModel {
  const { left, right } = audio;
  const level = pool.acquire(size);
  transform.analyseFrames(left, right, (t, frame) =>
    writeMagnitude(frame, level.subarray(t * binCount, (t + 1) * binCount)),
  );
  const gains = modelGains(level, spectra);
  // Transformed twice: stored spectrograms of all stems would take most of the memory.
  const covariances = new Float64Array(4 * binCount);
  transform.analyseFrames(left, right, (t, frame) => addCovariances(frame, gains, t * binCount, covariances));
  normaliseCovariances(covariances);
  for (let at = 0; at < level.length; at++) level[at] = (level[at] as number) * gains.at(at);
  return { level, covariances };
}

/** Returns the gain of each bin that gives its band the level of the factorised spectrogram. */
function modelGains(magnitude: Float32Array, spectra: number): { at(index: number): number } {
  const edges = describedEdges();
  const width = edges.length - 1;
  const frames = magnitude.length / binCount;
  const bands = new Float32Array(frames * width);
  for (let t = 0; t < frames; t++) {
    for (let b = 0; b < width; b++) {
      const to = t * binCount + (edges[b + 1] as number);
      let sum = 0;
      for (let at = t * binCount + (edges[b] as number); at < to; at++) sum += magnitude[at] as number;
      bands[t * width + b] = sum / ((edges[b + 1] as number) - (edges[b] as number));
    }
  }
  const gains = factorizeSpectrogram(bands, width, { count: spectra, iterations });
  for (let i = 0; i < gains.length; i++) {
    const ratio = ((gains[i] as number) + 1e-7) / ((bands[i] as number) + 1e-7);
    gains[i] = Math.min(correction.most, Math.max(correction.least, ratio));
  }
  const bandOf = new Int32Array(binCount);
  for (let b = 0; b < width; b++) bandOf.fill(b, edges[b], edges[b + 1]);
  return {
    at: (index) =>
      gains[Math.floor(index / binCount) * width + (bandOf[index % binCount] as number)] as number,
  };
}

function describedEdges(): Int32Array {
  const edges = Array.from({ length: singleBins + 1 }, (_, k) => k);
  for (let i = 1; i <= upperBands; i++) {
    edges.push(Math.round(singleBins * (binCount / singleBins) ** (i / upperBands)));
  }
  return Int32Array.from(new Set(edges));
}

/** Adds four values per bin of a frame: power left, power right, real and imaginary cross power. */
function addCovariances(
  { leftRe, leftIm, rightRe, rightIm }: StereoFrame,
  gains: { at(index: number): number },
  first: number,
  covariances: Float64Array,
): void {
  for (let k = 0, to = 0; k < binCount; k++, to += 4) {
    const weight = gains.at(first + k) ** 2;
    const a = leftRe[k] as number;
    const b = leftIm[k] as number;
    const c = rightRe[k] as number;
    const d = rightIm[k] as number;
    covariances[to] = (covariances[to] as number) + weight * (a * a + b * b);
    covariances[to + 1] = (covariances[to + 1] as number) + weight * (c * c + d * d);
    covariances[to + 2] = (covariances[to + 2] as number) + weight * (a * c + b * d);
    covariances[to + 3] = (covariances[to + 3] as number) + weight * (b * c - a * d);
  }
}

/** Divides the covariances of each bin by their mean power, and adds a diffuse part. */
function normaliseCovariances(covariances: Float64Array): void {
  for (let to = 0; to < covariances.length; to += 4) {
    const mean = 0.5 * ((covariances[to] as number) + (covariances[to + 1] as number));
    const scale = (1 - diffusePart) / (mean + 1e-12);
    covariances[to] = (covariances[to] as number) * scale + diffusePart;
    covariances[to + 1] = (covariances[to + 1] as number) * scale + diffusePart;
    covariances[to + 2] = (covariances[to + 2] as number) * scale;
    covariances[to + 3] = (covariances[to + 3] as number) * scale;
  }
}

/** The multichannel Wiener filter v R (Σ v R)⁻¹ x at one bin of one frame, written to `out[k]`. */
function filterBin(
  { leftRe, leftIm, rightRe, rightIm }: StereoSpectrogram,
  stems: readonly StemModel[],
  wanted: StemModel,
  k: number,
  at: number,
  out: StereoFrame,
): void {
  const p = 4 * k;
  let left = leastPower;
  let right = leastPower;
  let crossRe = 0;
  let crossIm = 0;
  for (let j = 0; j < stems.length; j++) {
    const { level, covariances } = stems[j] as StemModel;
    const v = 0.5 * (level[at] as number) ** 2;
    left += v * (covariances[p] as number);
    right += v * (covariances[p + 1] as number);
    crossRe += v * (covariances[p + 2] as number);
    crossIm += v * (covariances[p + 3] as number);
  }
  const scale = (0.5 * (wanted.level[at] as number) ** 2) / (left * right - crossRe ** 2 - crossIm ** 2);
  const a = leftRe[at] as number;
  const b = leftIm[at] as number;
  const c = rightRe[at] as number;
  const d = rightIm[at] as number;
  const ua = scale * (right * a - crossRe * c + crossIm * d);
  const ub = scale * (right * b - crossRe * d - crossIm * c);
  const uc = scale * (left * c - crossRe * a - crossIm * b);
  const ud = scale * (left * d - crossRe * b + crossIm * a);
  const l = wanted.covariances[p] as number;
  const r = wanted.covariances[p + 1] as number;
  const re = wanted.covariances[p + 2] as number;
  const im = wanted.covariances[p + 3] as number;
  out.leftRe[k] = l * ua + re * uc - im * ud;
  out.leftIm[k] = l * ub + re * ud + im * uc;
  out.rightRe[k] = re * ua + im * ub + r * uc;
  out.rightIm[k] = re * ub - im * ua + r * ud;
}
