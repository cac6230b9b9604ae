import { startProgram } from '../native/program-loader.ts';
import { spectraWasm } from '../native/spectra-wasm.ts';

/** Functions of `packages/dsp/native/spectra.c`. */
interface Calls {
  readonly memory: { readonly buffer: ArrayBuffer };
  most_samples(): number;
  frame_at(): number;
  window_at(): number;
  windowed_at(): number;
  packed_at(): number;
  power_at(): number;
  magnitude_at(): number;
  chroma_weights_at(): number;
  chroma_at(): number;
  apply_window(size: number): void;
  crossings(size: number): number;
  measure(size: number): void;
  fold(bins: number): void;
}

/** Pitch classes. */
const CLASSES = 12;

/** The compiled program around the transforms of the analysis, with its buffers. All streams of a thread share it. */
export interface SpectraProgram {
  readonly calls: Pick<Calls, 'apply_window' | 'crossings' | 'measure' | 'fold'>;
  /** Largest number of samples in a frame. */
  readonly mostSamples: number;
  /** Samples of a frame, its window, and their product. */
  readonly frame: Float32Array;
  readonly window: Float32Array;
  readonly windowed: Float32Array;
  /** Spectrum in the order of `RealFft.forwardPacked`. */
  readonly packed: Float32Array;
  /** Power and magnitude of each bin. */
  readonly power: Float32Array;
  readonly magnitude: Float32Array;
  /** Weights of twelve pitch classes for each bin, and the sums of the weighted powers. */
  readonly chromaWeights: Float64Array;
  readonly chroma: Float64Array;
}

let program: SpectraProgram | undefined;

/** Returns the compiled program, which the first call on a thread starts. */
export function spectraProgram(): SpectraProgram {
  program ??= open();
  return program;
}

function open(): SpectraProgram {
  const calls = startProgram(spectraWasm) as Calls;
  const { buffer } = calls.memory;
  const size = calls.most_samples();
  const bins = size / 2 + 1;
  const floats = (at: number, length: number): Float32Array => new Float32Array(buffer, at, length);
  return {
    calls,
    mostSamples: size,
    frame: floats(calls.frame_at(), size),
    window: floats(calls.window_at(), size),
    windowed: floats(calls.windowed_at(), size),
    packed: floats(calls.packed_at(), size),
    power: floats(calls.power_at(), bins),
    magnitude: floats(calls.magnitude_at(), bins),
    chromaWeights: new Float64Array(buffer, calls.chroma_weights_at(), CLASSES * bins),
    chroma: new Float64Array(buffer, calls.chroma_at(), CLASSES),
  };
}
