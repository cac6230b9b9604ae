/** Options of the factorisation. */
export interface RepeatedSpectraOptions {
  /** Number of spectra. */
  readonly count: number;
  readonly iterations: number;
}

/** Activations below this are set to 0, which avoids denormal numbers. */
const leastStrength = 1e-8;
const leastShape = 1e-10;

/**
 * Approximates a spectrogram by a sum of few spectra with varying activations.
 *
 * Repeated notes and hits are kept; occasional leakage from other sources is smoothed away. Non-negative matrix
 * factorisation with the Kullback–Leibler divergence, initialised from frames at equal steps of energy: deterministic.
 *
 * @param spectrogram 0 or more, `width` values per frame
 * @returns the same shape; zeros give about zeros
 * @see Lee and Seung, Algorithms for Non-negative Matrix Factorization (2000)
 */
export function factorizeSpectrogram(
  spectrogram: Float32Array,
  width: number,
  { count, iterations }: RepeatedSpectraOptions,
): Float32Array {
  const frames = spectrogram.length / width;
  const shapes = new Float32Array(count * width);
  const strengths = new Float32Array(frames * count);
  initialize(spectrogram, width, shapes, strengths);
  for (let i = 0; i < iterations; i++) improve(spectrogram, width, shapes, strengths);
  const description = new Float32Array(spectrogram.length);
  for (let t = 0; t < frames; t++) {
    addShapes(description.subarray(t * width, (t + 1) * width), shapes, strengths, t * count, count);
  }
  return description;
}

function initialize(
  spectrogram: Float32Array,
  width: number,
  shapes: Float32Array,
  strengths: Float32Array,
): void {
  const frames = spectrogram.length / width;
  const count = shapes.length / width;
  const levels = Float64Array.from({ length: frames }, (_, t) =>
    spectrogram.subarray(t * width, (t + 1) * width).reduce((sum, value) => sum + value, 0),
  );
  const total = levels.reduce((sum, level) => sum + level, 0);
  let passed = 0;
  let k = 0;
  for (let t = 0; t < frames; t++) {
    passed += levels[t] as number;
    for (; k < count && passed >= ((k + 0.5) / count) * total; k++) {
      const shape = shapes.subarray(k * width, (k + 1) * width);
      shape.set(spectrogram.subarray(t * width, (t + 1) * width));
      normalise(shape);
    }
    // Neighbours that start alike must differ in something, or they would stay alike.
    for (let n = 0; n < count; n++) {
      strengths[t * count + n] = ((levels[t] as number) / count) * (0.5 + ((t * 7 + n * 13) % 17) / 17);
    }
  }
}

/** One multiplicative update of the strengths and of the shapes. */
function improve(
  spectrogram: Float32Array,
  width: number,
  shapes: Float32Array,
  strengths: Float32Array,
): void {
  const frames = spectrogram.length / width;
  const count = shapes.length / width;
  const ratio = new Float32Array(width);
  const numerators = new Float32Array(shapes.length);
  const sums = new Float64Array(count);
  for (let t = 0; t < frames; t++) {
    const first = t * count;
    ratio.fill(leastShape);
    addShapes(ratio, shapes, strengths, first, count);
    for (let b = 0; b < width; b++) ratio[b] = (spectrogram[t * width + b] as number) / (ratio[b] as number);
    for (let k = 0, at = 0; k < count; k++, at += width) {
      const strength = strengths[first + k] as number;
      if (strength === 0) continue;
      let fit = 0;
      for (let b = 0; b < width; b++) {
        const value = ratio[b] as number;
        fit += (shapes[at + b] as number) * value;
        numerators[at + b] = (numerators[at + b] as number) + strength * value;
      }
      sums[k] = (sums[k] as number) + strength;
      const next = strength * fit;
      strengths[first + k] = next < leastStrength ? 0 : next;
    }
  }
  for (let k = 0, at = 0; k < count; k++, at += width) {
    const sum = (sums[k] as number) + 1e-9;
    for (let b = 0; b < width; b++) {
      const value = ((shapes[at + b] as number) * (numerators[at + b] as number)) / sum;
      shapes[at + b] = Math.max(leastShape, value);
    }
    const scale = normalise(shapes.subarray(at, at + width));
    for (let i = k; i < strengths.length; i += count) strengths[i] = (strengths[i] as number) * scale;
  }
}

function addShapes(
  target: Float32Array,
  shapes: Float32Array,
  strengths: Float32Array,
  first: number,
  count: number,
): void {
  const width = target.length;
  for (let k = 0, at = 0; k < count; k++, at += width) {
    const strength = strengths[first + k] as number;
    if (strength === 0) continue;
    for (let b = 0; b < width; b++) {
      target[b] = (target[b] as number) + strength * (shapes[at + b] as number);
    }
  }
}

/** Scales the sum to 1 and returns the previous sum. */
function normalise(shape: Float32Array): number {
  let sum = 1e-9;
  for (const value of shape) sum += value;
  for (let b = 0; b < shape.length; b++) shape[b] = (shape[b] as number) / sum;
  return sum;
}
