import { createRealFft } from './fft.ts';
import { createFramer } from './framer.ts';

/** Receives one spectrum of a stream: real and imaginary parts of size / 2 + 1 bins, overwritten by the next one. */
export type SpectrumListener = (re: Float32Array, im: Float32Array, index: number) => void;

/** Short-time Fourier transform that never holds more than one spectrum. */
export interface Stft {
  /** Bins in a spectrum: size / 2 + 1. */
  readonly binCount: number;
  /** Adds samples and calls `onSpectrum` for every spectrum that they complete. */
  push(block: Float32Array, onSpectrum: SpectrumListener): void;
  /** Pads with silence for the spectra whose centre lies within the input. */
  finish(onSpectrum: SpectrumListener): void;
  /** Resets to the initial state. */
  reset(): void;
  /** Releases the memory of the transform. */
  dispose(): void;
}

/**
 * Creates a streaming short-time Fourier transform: samples → frames centred on t · hop → window → spectrum, unscaled.
 *
 * Spectra have the layout of `RealFft`; n samples give 1 + ⌊n / hop⌋ spectra. `loadFft` must have finished.
 *
 * @param options.size samples in a frame, a size that `createRealFft` accepts
 * @param options.hop samples between frames
 * @param options.window `size` factors
 * @throws RangeError if a size, the hop or the length of the window does not fit
 * @see Allen and Rabiner, "A unified approach to short-time Fourier analysis and synthesis", Proc. IEEE 65, 1977
 */
export function createStft(options: { size: number; hop: number; window: Float32Array }): Stft {
  const { size, hop, window } = options;
  if (window.length !== size)
    throw new RangeError(`the window must have ${size} factors (got ${window.length})`);
  const framer = createFramer({ size, hop });
  const fft = createRealFft(size);
  const windowed = new Float32Array(size);
  const re = new Float32Array(fft.binCount);
  const im = new Float32Array(fft.binCount);
  let listener: SpectrumListener = () => {};

  const onFrame = (samples: Float32Array, index: number): void => {
    for (let at = 0; at < size; at++) windowed[at] = (samples[at] ?? 0) * (window[at] ?? 0);
    fft.forward(windowed, re, im);
    listener(re, im, index);
  };

  return {
    binCount: fft.binCount,
    push(block, onSpectrum) {
      listener = onSpectrum;
      framer.push(block, onFrame);
    },
    finish(onSpectrum) {
      listener = onSpectrum;
      framer.finish(onFrame);
    },
    reset: () => framer.reset(),
    dispose: () => fft.dispose(),
  };
}
