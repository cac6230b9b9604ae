import { createRealFft, loadFft } from '../transform/fft.ts';
import { hannWindow } from '../transform/window.ts';

/** Length of a segment, in samples at 44.1 kHz (7.8 s). */
export const networkSegmentSamples = 343_980;
/** Bins of a frame, without the Nyquist bin. */
export const networkBinCount = 2048;
/** Frames of a segment. */
export const networkFrameCount = 336;
/** Values in the spectrogram of a segment: left real, left imaginary, right real, right imaginary. */
export const networkSpectrogramSize = 4 * networkBinCount * networkFrameCount;

const frameSize = 4096;
const hopSize = 1024;
const reflected = 1536;
/** Square root of the frame size, for an orthonormal transform. */
const scale = 64;
/** Sum of the squared windows that cover a sample. */
const windowSum = 1.5;
/** Frames transposed at a time, for memory locality. */
const blockFrames = 16;

/** Transform of separation networks and its inverse, which share tables and buffers. */
export interface NetworkSpectrogram {
  /**
   * Writes the spectrogram of a segment: 4 × 2048 bins × 336 frames, frames contiguous.
   *
   * @param left 343,980 samples, like `right`
   * @param output {@link networkSpectrogramSize} values
   */
  analyse(left: Float32Array, right: Float32Array, output: Float32Array): void;
  /** Adds the audio of a spectrogram to two audio channels of 343,980 samples. */
  addSynthesis(input: Float32Array, left: Float32Array, right: Float32Array): void;
}

/**
 * Creates the transform of Demucs networks: periodic Hann window of 4096 samples, hop 1024, reflect padding of 1536
 * samples, orthonormal scaling, without the Nyquist bin. The inverse reproduces the audio but for that bin and the ends.
 *
 * @see Défossez, "Hybrid Spectrogram and Waveform Source Separation" (2021)
 */
export async function createNetworkSpectrogram(): Promise<NetworkSpectrogram> {
  await loadFft();
  const fft = createRealFft(frameSize);
  const window = hannWindow(frameSize);
  const samples = new Float32Array(frameSize);
  // Packed spectra: values 2k and 2k + 1 are bin k, except that value 1 is the Nyquist bin.
  const packed = new Float32Array(blockFrames * frameSize);
  const rows = Array.from({ length: blockFrames }, (_, t) =>
    packed.subarray(t * frameSize, (t + 1) * frameSize),
  );
  const padded = new Float32Array((networkFrameCount - 1) * hopSize + frameSize);
  const analysisWindow = window.map((value) => value / scale);
  const synthesisWindow = window.map((value) => (value * scale) / windowSum / frameSize);
  const imaginary = networkBinCount * networkFrameCount;

  /** Writes the real, then the imaginary parts of one audio channel. */
  const analyseSide = (side: Float32Array, output: Float32Array): void => {
    mirrorEnds(side, padded);
    for (let first = 0; first < networkFrameCount; first += blockFrames) {
      for (const [t, row] of rows.entries()) {
        const start = (first + t) * hopSize;
        for (let i = 0; i < frameSize; i++)
          samples[i] = (analysisWindow[i] as number) * (padded[start + i] as number);
        fft.forwardPacked(samples, row);
        // The second value is the Nyquist bin, which networks do not use.
        row[1] = 0;
      }
      for (let k = 0; k < networkBinCount; k++) {
        const to = k * networkFrameCount + first;
        for (let t = 0, from = 2 * k; t < blockFrames; t++, from += frameSize) {
          output[to + t] = packed[from] as number;
          output[imaginary + to + t] = packed[from + 1] as number;
        }
      }
    }
  };

  const addSide = (input: Float32Array, side: Float32Array): void => {
    for (let first = 0; first < networkFrameCount; first += blockFrames) {
      for (let k = 0; k < networkBinCount; k++) {
        const from = k * networkFrameCount + first;
        for (let t = 0, to = 2 * k; t < blockFrames; t++, to += frameSize) {
          packed[to] = input[from + t] as number;
          packed[to + 1] = input[imaginary + from + t] as number;
        }
      }
      for (const [t, row] of rows.entries()) {
        row[1] = 0;
        fft.inversePacked(row, samples);
        const start = (first + t) * hopSize - reflected;
        const end = Math.min(frameSize, side.length - start);
        for (let i = Math.max(0, -start); i < end; i++)
          side[start + i] =
            (side[start + i] as number) + (samples[i] as number) * (synthesisWindow[i] as number);
      }
    }
  };

  const half = networkSpectrogramSize / 2;
  return {
    analyse(left, right, output) {
      analyseSide(left, output.subarray(0, half));
      analyseSide(right, output.subarray(half));
    },
    addSynthesis(input, left, right) {
      addSide(input.subarray(0, half), left);
      addSide(input.subarray(half), right);
    },
  };
}

/** Copies a segment with reflect padding at both ends. */
function mirrorEnds(side: Float32Array, padded: Float32Array): void {
  padded.set(side, reflected);
  for (let i = 0; i < reflected; i++) padded[i] = side[reflected - i] as number;
  const last = side.length - 1;
  for (let at = reflected + side.length, i = 1; at < padded.length; at++, i++)
    padded[at] = side[last - i] as number;
}
