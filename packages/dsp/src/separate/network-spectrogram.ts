import { createRealFft, loadFft } from '../transform/fft.ts';
import { hannWindow } from '../transform/window.ts';

/** Length of a segment, in samples at 44.1 kHz (7.8 s). */
export const networkSegmentSamples = 343_980;
/** Frequencies of a frame: 0 Hz up to, but without, half the rate. */
export const networkBinCount = 2048;
/** Frames of a segment. */
export const networkFrameCount = 336;
/** Numbers in the spectrogram of a segment: left real, left imaginary, right real, right imaginary. */
export const networkSpectrogramSize = 4 * networkBinCount * networkFrameCount;

const frameSize = 4096;
const hopSize = 1024;
const reflected = 1536;
/** The root of the frame size, by which a transform that keeps energy divides. */
const scale = 64;
/** What the squares of the windows that cover a sample sum to. */
const windowSum = 1.5;
/** So many frames are turned at a time, so that memory is walked in order. */
const blockFrames = 16;

/** The spectrogram that separation networks take and give, with one set of tables and buffers. */
export interface NetworkSpectrogram {
  /**
   * Writes the spectrogram of a segment: four planes of 2048 bins by 336 frames, frames next to each other.
   *
   * @param left 343,980 samples, and `right` as many
   * @param planes {@link networkSpectrogramSize} numbers
   */
  analyse(left: Float32Array, right: Float32Array, planes: Float32Array): void;
  /** Adds the sound of such planes to two sides of 343,980 samples. */
  addSynthesis(planes: Float32Array, left: Float32Array, right: Float32Array): void;
}

/**
 * The transform of the networks of the Demucs family: frames of 4096 samples under a periodic Hann window, 1024 apart,
 * the first one beginning 1536 samples before the sound, which is mirrored at its ends; divided by 64, and without the
 * bin at half the rate. Sound that goes through both ways comes back but for that bin and the ends.
 *
 * @see Défossez, "Hybrid Spectrogram and Waveform Source Separation" (2021)
 */
export async function createNetworkSpectrogram(): Promise<NetworkSpectrogram> {
  await loadFft();
  const fft = createRealFft(frameSize);
  const window = hannWindow(frameSize);
  const samples = new Float32Array(frameSize);
  // Spectra as the transform packs them: numbers 2k and 2k + 1 are bin k, but for the real ends of the row.
  const packed = new Float32Array(blockFrames * frameSize);
  const rows = Array.from({ length: blockFrames }, (_, t) =>
    packed.subarray(t * frameSize, (t + 1) * frameSize),
  );
  const padded = new Float32Array((networkFrameCount - 1) * hopSize + frameSize);
  const analysisWindow = window.map((value) => value / scale);
  const synthesisWindow = window.map((value) => (value * scale) / windowSum / frameSize);
  const imaginary = networkBinCount * networkFrameCount;

  /** Two planes, real and imaginary, of one side. */
  const analyseSide = (side: Float32Array, planes: Float32Array): void => {
    mirrorEnds(side, padded);
    for (let first = 0; first < networkFrameCount; first += blockFrames) {
      for (const [t, row] of rows.entries()) {
        const start = (first + t) * hopSize;
        for (let i = 0; i < frameSize; i++)
          samples[i] = (analysisWindow[i] as number) * (padded[start + i] as number);
        fft.forwardPacked(samples, row);
        // Beside the real part of the first bin stands that of the last, which no network sees.
        row[1] = 0;
      }
      for (let k = 0; k < networkBinCount; k++) {
        const to = k * networkFrameCount + first;
        for (let t = 0, from = 2 * k; t < blockFrames; t++, from += frameSize) {
          planes[to + t] = packed[from] as number;
          planes[imaginary + to + t] = packed[from + 1] as number;
        }
      }
    }
  };

  const addSide = (planes: Float32Array, side: Float32Array): void => {
    for (let first = 0; first < networkFrameCount; first += blockFrames) {
      for (let k = 0; k < networkBinCount; k++) {
        const from = k * networkFrameCount + first;
        for (let t = 0, to = 2 * k; t < blockFrames; t++, to += frameSize) {
          packed[to] = planes[from + t] as number;
          packed[to + 1] = planes[imaginary + from + t] as number;
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
    analyse(left, right, planes) {
      analyseSide(left, planes.subarray(0, half));
      analyseSide(right, planes.subarray(half));
    },
    addSynthesis(planes, left, right) {
      addSide(planes.subarray(0, half), left);
      addSide(planes.subarray(half), right);
    },
  };
}

/** Puts a segment into the middle of what the frames cover, with its mirror image beyond both ends. */
function mirrorEnds(side: Float32Array, padded: Float32Array): void {
  padded.set(side, reflected);
  for (let i = 0; i < reflected; i++) padded[i] = side[reflected - i] as number;
  const last = side.length - 1;
  for (let at = reflected + side.length, i = 1; at < padded.length; at++, i++)
    padded[at] = side[last - i] as number;
}
