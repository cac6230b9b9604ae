import { createRealFft } from './fft.ts';
import { createFramer } from './framer.ts';
import { spectraProgram } from './spectra-program.ts';

/** One spectrum of a stream. Its arrays are overwritten by the next spectrum of any stream. */
export interface PowerSpectrum {
  /** Squared magnitudes of size / 2 + 1 bins. */
  readonly power: Float32Array;
  /** Magnitudes of the same bins. */
  readonly magnitude: Float32Array;
  /** Number of the frame, from 0. */
  readonly index: number;
  /** Samples of the frame, without the window. */
  readonly frame: Float32Array;
}

/** Receives the spectra of a stream one after the other. */
export type PowerSpectrumListener = (spectrum: PowerSpectrum) => void;

/** Power spectra of a stream. */
export interface PowerSpectra {
  /** Bins in a spectrum: size / 2 + 1. */
  readonly binCount: number;
  /** Adds samples and calls `onSpectrum` for every spectrum that they complete. */
  push(block: Float32Array, onSpectrum: PowerSpectrumListener): void;
  /** Pads with silence for the spectra whose centre lies within the input. */
  finish(onSpectrum: PowerSpectrumListener): void;
  /** Releases the memory of the transform. */
  dispose(): void;
}

/**
 * Creates the power spectra of a stream, with everything around the transform in a compiled program.
 *
 * samples → frames centred on t · hop → window → spectrum, unscaled → power and magnitude. It never holds more than one
 * spectrum; n samples give 1 + ⌊n / hop⌋ of them. `loadFft` must have finished.
 *
 * @param options.size samples in a frame, a size that `createRealFft` accepts, at most 8,192
 * @param options.hop samples between frames
 * @param options.window `size` factors
 * @throws RangeError if a size, the hop or the length of the window does not fit
 * @see Allen and Rabiner, "A unified approach to short-time Fourier analysis and synthesis", Proc. IEEE 65, 1977
 */
export function createPowerSpectra(options: {
  size: number;
  hop: number;
  window: Float32Array;
}): PowerSpectra {
  const { size, hop, window } = options;
  const program = spectraProgram();
  const { calls } = program;
  if (size > program.mostSamples)
    throw new RangeError(`a frame must have ${program.mostSamples} samples or fewer (got ${size})`);
  if (window.length !== size)
    throw new RangeError(`the window must have ${size} factors (got ${window.length})`);
  const framer = createFramer({ size, hop });
  const fft = createRealFft(size);
  const windowed = program.windowed.subarray(0, size);
  const packed = program.packed.subarray(0, size);
  const spectrum = {
    power: program.power.subarray(0, fft.binCount),
    magnitude: program.magnitude.subarray(0, fft.binCount),
    index: 0,
    frame: program.frame.subarray(0, size),
  };
  let listener: PowerSpectrumListener = () => {};

  const onFrame = (samples: Float32Array, index: number): void => {
    program.frame.set(samples);
    program.window.set(window);
    calls.apply_window(size);
    fft.forwardPacked(windowed, packed);
    calls.measure(size);
    spectrum.index = index;
    listener(spectrum);
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
    dispose: () => fft.dispose(),
  };
}
