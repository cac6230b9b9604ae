// oxlint-disable-next-line typescript/triple-slash-reference -- the package has no types; this way they reach every compiler that reads this file
/// <reference path="./pffft-wasm.d.ts" />
import loadModule, { type PffftModule } from '@echogarden/pffft-wasm/simd';

/**
 * Real Fourier transform of one size, with its work space; not shared between threads.
 *
 * A spectrum is two arrays of `binCount` = size / 2 + 1 numbers, real and imaginary parts of the bins from 0 Hz to the
 * Nyquist frequency inclusive; bin k stands for k · sampleRate / size. The imaginary parts of the first and the last
 * bin are 0.
 */
export interface RealFft {
  /** Samples in the time domain. */
  readonly size: number;
  /** Bins in the frequency domain: size / 2 + 1. */
  readonly binCount: number;
  /**
   * Computes X[k] = Σ x[n] · e^(−2πi·k·n/size), unscaled; `input` has `size` samples, `re` and `im` `binCount` values.
   * Allocates nothing.
   */
  forward(input: Float32Array, re: Float32Array, im: Float32Array): void;
  /**
   * Computes the inverse, scaled by 1 / size: `inverse(forward(x))` is x. The imaginary parts of the first and the last
   * bin are not read.
   */
  inverse(re: Float32Array, im: Float32Array, output: Float32Array): void;
  /**
   * Writes the result of {@link forward} to one array of `size` numbers.
   *
   * They are the real part of the first bin, that of the last, then real and imaginary part of each bin between. This
   * saves a copy for callers that reorder the spectrum.
   */
  forwardPacked(input: Float32Array, packed: Float32Array): void;
  /** Inverts {@link forwardPacked}, unscaled: the output is `size` times the samples. */
  inversePacked(packed: Float32Array, output: Float32Array): void;
  /** Releases the work space; the transform must not be used afterwards. A second call does nothing. */
  dispose(): void;
}

const REAL = 0;
const FORWARD = 0;
const BACKWARD = 1;

let loaded: PffftModule | undefined;
let loading: Promise<PffftModule> | undefined;

/**
 * Loads the compiled transform once per thread; after that, `createRealFft` works. Further calls cost nothing.
 *
 * @param options.wasmBinary bytes of the compiled module, for environments that cannot fetch it from beside the script
 * @see https://bitbucket.org/jpommier/pffft (PFFFT, a "pretty fast FFT", BSD licence)
 */
export async function loadFft(options: { wasmBinary?: ArrayBuffer } = {}): Promise<void> {
  loading ??= loadModule(options);
  loaded = await loading;
}

/**
 * Creates a real transform of `size` samples.
 *
 * @param size a multiple of 32 without prime factors beyond 2, 3 and 5
 * @throws RangeError for another size
 * @throws Error when `loadFft` has not finished on this thread
 */
export function createRealFft(size: number): RealFft {
  if (!isTransformSize(size)) {
    throw new RangeError(
      `a transform size must be a multiple of 32 with prime factors 2, 3 and 5 (got ${size})`,
    );
  }
  if (!loaded) throw new Error('loadFft() must have finished on this thread before createRealFft()');
  const module = loaded;
  const half = size / 2;
  const setup = module._pffft_new_setup(size, REAL);
  // One block of memory holds input, output and work space, all aligned to 16 bytes.
  const block = module._pffft_aligned_malloc(3 * size * 4);
  if (setup === 0 || block === 0) throw new Error(`no memory for a transform of ${size} samples`);
  const input = block / 4;
  const output = input + size;
  let isDisposed = false;

  const transform = (direction: number): void => {
    if (isDisposed) throw new Error('a disposed transform cannot be used');
    module._pffft_transform_ordered(setup, block, block + size * 4, block + size * 8, direction);
  };

  return {
    size,
    binCount: half + 1,
    forward(samples, re, im) {
      // The view is read at each call: growth of the memory for another transform replaces it.
      const heap = module.HEAPF32;
      heap.set(samples.length === size ? samples : samples.subarray(0, size), input);
      transform(FORWARD);
      // PFFFT stores the real part of the last bin next to that of the first.
      re[0] = heap[output] ?? 0;
      im[0] = 0;
      re[half] = heap[output + 1] ?? 0;
      im[half] = 0;
      for (let bin = 1, at = output + 2; bin < half; bin++, at += 2) {
        re[bin] = heap[at] ?? 0;
        im[bin] = heap[at + 1] ?? 0;
      }
    },
    inverse(re, im, samples) {
      const heap = module.HEAPF32;
      heap[input] = re[0] ?? 0;
      heap[input + 1] = re[half] ?? 0;
      for (let bin = 1, at = input + 2; bin < half; bin++, at += 2) {
        heap[at] = re[bin] ?? 0;
        heap[at + 1] = im[bin] ?? 0;
      }
      transform(BACKWARD);
      const scale = 1 / size;
      for (let at = 0; at < size; at++) samples[at] = (heap[output + at] ?? 0) * scale;
    },
    forwardPacked(samples, packed) {
      const heap = module.HEAPF32;
      heap.set(samples, input);
      transform(FORWARD);
      packed.set(heap.subarray(output, output + size));
    },
    inversePacked(packed, samples) {
      const heap = module.HEAPF32;
      heap.set(packed, input);
      transform(BACKWARD);
      samples.set(heap.subarray(output, output + size));
    },
    dispose() {
      if (isDisposed) return;
      isDisposed = true;
      module._pffft_aligned_free(block);
      module._pffft_destroy_setup(setup);
    },
  };
}

function isTransformSize(size: number): boolean {
  if (!Number.isInteger(size) || size < 32 || size % 32 !== 0) return false;
  let rest = size;
  for (const factor of [2, 3, 5]) while (rest % factor === 0) rest /= factor;
  return rest === 1;
}
