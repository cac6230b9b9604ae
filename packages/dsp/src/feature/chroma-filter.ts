import { spectraProgram } from '../transform/spectra-program.ts';

/** Sums a power spectrum into twelve pitch classes. */
export interface ChromaFilterBank {
  /** Maps size / 2 + 1 powers to a new array of twelve values, C first, the largest 1; all 0 in silence. */
  apply(power: Float32Array): Float32Array;
}

const CLASSES = 12;
/**
 * A0, the origin of the octave scale; the octave with the largest weight; and the width of the weighting in octaves.
 */
const LOWEST_HZ = 27.5;
const CENTRE_OCTAVE = 5;
const OCTAVE_WIDTH = 2;
/** Sum of powers below which a frame is silent. */
const SILENCE = 1e-12;

/**
 * Creates the chroma filter of a spectrum as librosa's `chroma_stft` defines it (`tuning=0`, `norm=inf`).
 *
 * Each bin contributes to the classes near it by a Gaussian half a semitone wide (wider where bins are further apart
 * than semitones). Its twelve weights have a sum of squares of 1 and are multiplied by a Gaussian two octaves wide
 * around the fifth octave above A0.
 *
 * @param options.sampleRate sample rate in Hz
 * @param options.fftSize samples in a transform
 * @see https://librosa.org/doc/latest/generated/librosa.feature.chroma_stft.html and librosa.filters.chroma
 */
export function createChromaFilterBank(options: { sampleRate: number; fftSize: number }): ChromaFilterBank {
  const { sampleRate, fftSize } = options;
  const binCount = fftSize / 2 + 1;
  const weights = weightsOf(sampleRate, fftSize);
  const program = spectraProgram();
  return {
    apply(power) {
      if (loadedWeights !== weights) program.chromaWeights.set(weights);
      loadedWeights = weights;
      // The power may already be there.
      if (power.byteOffset !== program.power.byteOffset || power.buffer !== program.power.buffer)
        program.power.set(power);
      program.calls.fold(binCount);
      const largest = Math.max(...program.chroma);
      return Float32Array.from(program.chroma, (value) => (largest > SILENCE ? value / largest : 0));
    },
  };
}

/** Weights that were computed so far, and those that the compiled program has. */
const knownWeights = new Map<string, Float64Array>();
let loadedWeights: Float64Array | undefined;

/** Returns twelve weights for each bin, C first. */
function weightsOf(sampleRate: number, fftSize: number): Float64Array {
  const name = `${sampleRate} ${fftSize}`;
  const known = knownWeights.get(name);
  if (known) return known;
  const binCount = fftSize / 2 + 1;
  const semitoneOf = (bin: number): number => CLASSES * Math.log2((bin * sampleRate) / fftSize / LOWEST_HZ);
  const weights = new Float64Array(CLASSES * binCount);
  for (let bin = 0; bin < binCount; bin++) {
    // The bin at 0 Hz has no pitch: it is placed an octave and a half below the first.
    const semitone = bin === 0 ? semitoneOf(1) - 1.5 * CLASSES : semitoneOf(bin);
    const width = Math.max(1, semitoneOf(bin + 1) - semitone);
    const bells = Array.from({ length: CLASSES }, (_, pitch) => {
      const distance = modulo(semitone - pitch + CLASSES / 2, CLASSES) - CLASSES / 2;
      return Math.exp(-0.5 * ((2 * distance) / width) ** 2);
    });
    const norm = Math.sqrt(bells.reduce((sum, value) => sum + value * value, 0));
    const height = Math.exp(-0.5 * ((semitone / CLASSES - CENTRE_OCTAVE) / OCTAVE_WIDTH) ** 2);
    // The octave scale starts at A, the chroma at C.
    for (const [pitch, bell] of bells.entries())
      weights[CLASSES * bin + ((pitch + 9) % CLASSES)] = (bell / norm) * height;
  }
  knownWeights.set(name, weights);
  return weights;
}

function modulo(value: number, by: number): number {
  return ((value % by) + by) % by;
}
