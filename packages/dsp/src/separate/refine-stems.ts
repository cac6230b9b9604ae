import { createPlaneLender, type PlaneLender } from './planes.ts';
import { describeByRepeatedSpectra } from './repeated-spectra.ts';
import {
  binCount,
  type SpectrogramTransform,
  type StereoSpectrogram,
  writeMagnitude,
} from './stereo-spectrogram.ts';

/** Low bins are described one by one, those above in bands of a constant ratio. */
const singleBins = 120;
const upperBands = 100;
const iterations = 8;
/** How far the description may change the level of a band. */
const correction = { least: 0.03, most: 10 } as const;
/** So much of each stem's position counts as everywhere, so that no matrix is singular. */
const diffusePart = 0.02;
/** Of nothing there is nothing to divide. */
const leastPower = 1e-10;

/** A first estimate of a stem, and how many spectra describe it: a singer and chords need more than a drum kit. */
export interface RoughStem {
  readonly sound: { readonly left: Float32Array; readonly right: Float32Array };
  readonly spectra: number;
}

/** What the second round knows of a stem. */
interface DescribedStem {
  /** The magnitude of each bin; lent. */
  readonly level: Float32Array;
  /** See {@link positionsOf}. */
  readonly positions: Float64Array;
}

/**
 * Describes the rough estimate of each stem by few repeated spectra and its position in the stereo picture, and
 * divides the mixture anew by these descriptions. The stems sum to the mixture.
 *
 * ```
 * rough stem → spectrogram → repeated spectra → level of each bin ┐
 *                          → covariance of both sides, each bin   ┴→ multichannel Wiener filter → stem
 * ```
 *
 * The rough stems are transformed anew, because a sound has no spectrogram but its own: what the first division
 * has cut too finely shows as what it sounds like. One round only: further ones sharpen the stems, but drift away
 * from the evidence.
 *
 * @param mixture its spectrogram
 * @param stems all of them; they sum to the mixture
 * @param wanted how many of `stems`, from the first, are to be given back
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
  planes: PlaneLender = createPlaneLender(),
): { left: Float32Array; right: Float32Array }[] {
  const described = stems.map((stem) => describeStem(transform, stem, planes));
  const size = mixture.leftRe.length;
  const out: StereoSpectrogram = {
    frameCount: mixture.frameCount,
    sampleCount: mixture.sampleCount,
    leftRe: planes.take(size),
    leftIm: planes.take(size),
    rightRe: planes.take(size),
    rightIm: planes.take(size),
  };
  const refined = described.slice(0, wanted).map((stem) => {
    for (let at = 0, k = 0; at < size; at++, k = k + 1 === binCount ? 0 : k + 1) {
      divideBin(mixture, described, stem, k, at, out);
    }
    return transform.synthesise(out);
  });
  planes.give(out.leftRe, out.leftIm, out.rightRe, out.rightIm, ...described.map(({ level }) => level));
  return refined;
}

function describeStem(
  transform: SpectrogramTransform,
  { sound, spectra }: RoughStem,
  planes: PlaneLender,
): DescribedStem {
  const spectrogram = transform.analyse(sound.left, sound.right, planes);
  const { leftRe, leftIm, rightRe, rightIm } = spectrogram;
  const level = planes.take(leftRe.length);
  writeMagnitude(spectrogram, level);
  const gains = describe(level, spectra);
  const positions = positionsOf(spectrogram, gains);
  for (let at = 0; at < level.length; at++) level[at] = (level[at] as number) * gains.at(at);
  planes.give(leftRe, leftIm, rightRe, rightIm);
  return { level, positions };
}

/** What each bin is multiplied by so that its band has the level that the repeated spectra give it. */
function describe(magnitude: Float32Array, spectra: number): { at(index: number): number } {
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
  const gains = describeByRepeatedSpectra(bands, width, { count: spectra, iterations });
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

/** Four numbers a bin: power left, power right, real and imaginary part of the cross power, per mean power. */
function positionsOf(
  { leftRe, leftIm, rightRe, rightIm }: StereoSpectrogram,
  gains: { at(index: number): number },
): Float64Array {
  const positions = new Float64Array(4 * binCount);
  for (let at = 0, to = 0; at < leftRe.length; at++, to = to === 4 * (binCount - 1) ? 0 : to + 4) {
    const weight = gains.at(at) ** 2;
    const a = leftRe[at] as number;
    const b = leftIm[at] as number;
    const c = rightRe[at] as number;
    const d = rightIm[at] as number;
    positions[to] = (positions[to] as number) + weight * (a * a + b * b);
    positions[to + 1] = (positions[to + 1] as number) + weight * (c * c + d * d);
    positions[to + 2] = (positions[to + 2] as number) + weight * (a * c + b * d);
    positions[to + 3] = (positions[to + 3] as number) + weight * (b * c - a * d);
  }
  for (let to = 0; to < positions.length; to += 4) {
    const mean = 0.5 * ((positions[to] as number) + (positions[to + 1] as number));
    const scale = (1 - diffusePart) / (mean + 1e-12);
    positions[to] = (positions[to] as number) * scale + diffusePart;
    positions[to + 1] = (positions[to + 1] as number) * scale + diffusePart;
    positions[to + 2] = (positions[to + 2] as number) * scale;
    positions[to + 3] = (positions[to + 3] as number) * scale;
  }
  return positions;
}

/** The multichannel Wiener filter v R (Σ v R)⁻¹ x at one bin of one frame. */
function divideBin(
  { leftRe, leftIm, rightRe, rightIm }: StereoSpectrogram,
  stems: readonly DescribedStem[],
  wanted: DescribedStem,
  k: number,
  at: number,
  out: StereoSpectrogram,
): void {
  const p = 4 * k;
  let left = leastPower;
  let right = leastPower;
  let crossRe = 0;
  let crossIm = 0;
  for (let j = 0; j < stems.length; j++) {
    const { level, positions } = stems[j] as DescribedStem;
    const v = 0.5 * (level[at] as number) ** 2;
    left += v * (positions[p] as number);
    right += v * (positions[p + 1] as number);
    crossRe += v * (positions[p + 2] as number);
    crossIm += v * (positions[p + 3] as number);
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
  const l = wanted.positions[p] as number;
  const r = wanted.positions[p + 1] as number;
  const re = wanted.positions[p + 2] as number;
  const im = wanted.positions[p + 3] as number;
  out.leftRe[at] = l * ua + re * uc - im * ud;
  out.leftIm[at] = l * ub + re * ud + im * uc;
  out.rightRe[at] = re * ua + im * ub + r * uc;
  out.rightIm[at] = re * ub - im * ua + r * ud;
}
