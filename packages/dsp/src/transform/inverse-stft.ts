import { createRealFft } from './fft.ts';

/** Puts spectra of a stream back together into samples. */
export interface InverseStft {
  /** Takes the next spectrum and writes the `hop` samples that it completes to the start of `output`. */
  push(re: Float32Array, im: Float32Array, output: Float32Array): void;
  /** Forgets everything, as if just created. */
  reset(): void;
  /** Gives the transform's memory back. */
  dispose(): void;
}

/**
 * Weighted overlap-add, the inverse of `createStft`: spectrum → piece → window → sum → divided by the sum of the
 * window products at that place. The pieces are centred, so that the samples written for spectrum t are those from
 * (t · hop − size / 2) on: the first size / 2 of the stream lie before the sound and are dropped by the caller, and
 * `size` samples of silence pushed after the sound bring out its end.
 *
 * @param options.size samples in a piece, a size `createRealFft` takes
 * @param options.hop samples between pieces, a divisor of `size`
 * @param options.analysisWindow the window that `createStft` used
 * @param options.synthesisWindow the window after the change of the spectrum
 * @throws RangeError when the windows leave a sample without weight, or a size does not fit
 * @see Griffin and Lim, "Signal estimation from modified short-time Fourier transform", IEEE Trans. ASSP 32, 1984
 */
export function createInverseStft(options: {
  size: number;
  hop: number;
  analysisWindow: Float32Array;
  synthesisWindow: Float32Array;
}): InverseStft {
  const { size, hop, analysisWindow, synthesisWindow } = options;
  if (!Number.isInteger(hop) || hop < 1 || size % hop !== 0) {
    throw new RangeError(`a hop must divide ${size} samples (got ${hop})`);
  }
  if (analysisWindow.length !== size || synthesisWindow.length !== size) {
    throw new RangeError(
      `both windows must have ${size} factors (got ${analysisWindow.length} and ${synthesisWindow.length})`,
    );
  }
  const product = analysisWindow.map((value, at) => value * (synthesisWindow[at] ?? 0));
  const steadyWeight = new Float64Array(hop);
  for (let at = 0; at < size; at++)
    steadyWeight[at % hop] = (steadyWeight[at % hop] ?? 0) + (product[at] ?? 0);
  if (steadyWeight.some((value) => value < 1e-6)) {
    throw new RangeError(
      `the windows must overlap at a hop of ${hop} samples (they leave a sample without weight)`,
    );
  }
  const fft = createRealFft(size);
  const piece = new Float32Array(size);
  const sum = new Float32Array(size);
  const weight = new Float32Array(size);

  return {
    push(re, im, output) {
      fft.inverse(re, im, piece);
      for (let at = 0; at < size; at++) {
        sum[at] = (sum[at] ?? 0) + (piece[at] ?? 0) * (synthesisWindow[at] ?? 0);
        weight[at] = (weight[at] ?? 0) + (product[at] ?? 0);
      }
      // The weight is summed along, because the first pieces have none before them.
      for (let at = 0; at < hop; at++) output[at] = (sum[at] ?? 0) / Math.max(weight[at] ?? 0, 1e-6);
      for (const buffer of [sum, weight]) {
        buffer.copyWithin(0, hop);
        buffer.fill(0, size - hop);
      }
    },
    reset() {
      sum.fill(0);
      weight.fill(0);
    },
    dispose: () => fft.dispose(),
  };
}
