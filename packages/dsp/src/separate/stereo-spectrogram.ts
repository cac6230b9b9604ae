import { createRealFft, loadFft } from '../transform/fft.ts';
import { type BufferPool, createBufferPool } from './buffer-pool.ts';

/** Samples per frame: 93 ms at 44.1 kHz, long enough to resolve the notes of a chord. */
export const frameSize = 4096;
/** Hop size in samples. */
export const hopSize = 1024;
/** Bins of a frame, 0 Hz to half the sample rate. */
export const binCount = frameSize / 2 + 1;
/** Distance of neighbouring bins, in Hz. */
export const binHz = 44_100 / frameSize;

/** Short-time Fourier transform of stereo audio. Arrays are frame by frame, {@link binCount} values each. */
export interface StereoSpectrogram {
  readonly frameCount: number;
  /** Length of the transformed audio. */
  readonly sampleCount: number;
  readonly leftRe: Float32Array;
  readonly leftIm: Float32Array;
  readonly rightRe: Float32Array;
  readonly rightIm: Float32Array;
}

/** One frame of a spectrogram, {@link binCount} values each. */
export interface StereoFrame {
  readonly leftRe: Float32Array;
  readonly leftIm: Float32Array;
  readonly rightRe: Float32Array;
  readonly rightIm: Float32Array;
}

/** A transform and its inverse, which share tables and buffers. */
export interface SpectrogramTransform {
  /**
   * Transforms two audio channels of equal length, padded with silence.
   *
   * @param pool provides the four arrays
   */
  analyse(left: Float32Array, right: Float32Array, pool?: BufferPool): StereoSpectrogram;
  /** Transforms two audio channels frame by frame. The frame is overwritten by the next one. */
  analyseFrames(
    left: Float32Array,
    right: Float32Array,
    readFrame: (t: number, frame: StereoFrame) => void,
  ): void;
  /**
   * Transforms a spectrogram back, after multiplying each bin by its gain, if there are gains.
   *
   * @param pool provides the audio, if given
   */
  synthesise(
    spectrogram: StereoSpectrogram,
    gains?: Float32Array,
    pool?: BufferPool,
  ): { left: Float32Array; right: Float32Array };
  /** Transforms a spectrogram back that is computed frame by frame and never stored. */
  synthesiseFrames(
    frameCount: number,
    sampleCount: number,
    writeFrame: (t: number, frame: StereoFrame) => void,
  ): { left: Float32Array; right: Float32Array };
}

/**
 * Creates a transform with the square root of a Hann window at 75 % overlap. With all gains 1 the audio is reproduced
 * within rounding.
 *
 * @see Griffin and Lim, Signal Estimation from Modified Short-Time Fourier Transform (1984)
 */
export async function createSpectrogramTransform(): Promise<SpectrogramTransform> {
  await loadFft();
  const fft = createRealFft(frameSize);
  const window = Float32Array.from({ length: frameSize }, (_, i) =>
    Math.sqrt(0.5 - 0.5 * Math.cos((2 * Math.PI * i) / frameSize)),
  );
  // With the scale of the inverse transform.
  const synthesisWindow = window.map((value) => ((2 * hopSize) / frameSize / frameSize) * value);
  const samples = new Float32Array(frameSize);
  const packed = new Float32Array(frameSize);
  const firstStart = hopSize - frameSize;

  /** Transforms frame t of an audio channel; the bins are written from index `first` on. */
  const analyseFrame = (
    side: Float32Array,
    t: number,
    toRe: Float32Array,
    toIm: Float32Array,
    first: number,
  ): void => {
    const start = firstStart + t * hopSize;
    const from = Math.max(0, -start);
    const end = Math.max(from, Math.min(frameSize, side.length - start));
    samples.fill(0, 0, from).fill(0, end);
    for (let i = from; i < end; i++) samples[i] = (window[i] as number) * (side[start + i] as number);
    fft.forwardPacked(samples, packed);
    const last = first + binCount - 1;
    // The second value is the real part of the last bin.
    toRe[first] = packed[0] as number;
    toRe[last] = packed[1] as number;
    toIm[first] = 0;
    toIm[last] = 0;
    for (let at = first + 1, i = 2; at < last; at++, i += 2) {
      toRe[at] = packed[i] as number;
      toIm[at] = packed[i + 1] as number;
    }
  };

  /** Writes one frame of a spectrogram as `inversePacked` reads it. */
  const packFrame = (re: Float32Array, im: Float32Array, first: number, gains?: Float32Array): void => {
    const last = first + binCount - 1;
    packed[0] = (re[first] as number) * (gains?.[first] ?? 1);
    packed[1] = (re[last] as number) * (gains?.[last] ?? 1);
    if (gains === undefined)
      for (let at = first + 1, to = 2; at < last; at++, to += 2) {
        packed[to] = re[at] as number;
        packed[to + 1] = im[at] as number;
      }
    else
      for (let at = first + 1, to = 2; at < last; at++, to += 2) {
        const gain = gains[at] as number;
        packed[to] = gain * (re[at] as number);
        packed[to + 1] = gain * (im[at] as number);
      }
  };

  /** Adds the audio of the packed frame at its position. */
  const addPacked = (t: number, side: Float32Array): void => {
    fft.inversePacked(packed, samples);
    const start = firstStart + t * hopSize;
    const end = Math.min(frameSize, side.length - start);
    for (let i = Math.max(0, -start); i < end; i++) {
      side[start + i] = (side[start + i] as number) + (samples[i] as number) * (synthesisWindow[i] as number);
    }
  };

  const synthesiseSide = (
    re: Float32Array,
    im: Float32Array,
    gains: Float32Array | undefined,
    side: Float32Array,
  ): Float32Array => {
    for (let t = 0; t * binCount < re.length; t++) {
      packFrame(re, im, t * binCount, gains);
      addPacked(t, side);
    }
    return side;
  };

  return {
    analyse(left, right, pool = createBufferPool()) {
      const sampleCount = left.length;
      const frameCount = Math.ceil((sampleCount + frameSize - hopSize) / hopSize);
      const createArray = (): Float32Array => pool.acquire(frameCount * binCount);
      const spectrogram: StereoSpectrogram = {
        frameCount,
        sampleCount,
        leftRe: createArray(),
        leftIm: createArray(),
        rightRe: createArray(),
        rightIm: createArray(),
      };
      for (let t = 0; t < frameCount; t++)
        analyseFrame(left, t, spectrogram.leftRe, spectrogram.leftIm, t * binCount);
      for (let t = 0; t < frameCount; t++)
        analyseFrame(right, t, spectrogram.rightRe, spectrogram.rightIm, t * binCount);
      return spectrogram;
    },
    analyseFrames(left, right, readFrame) {
      const frame = createFrame();
      const frameCount = Math.ceil((left.length + frameSize - hopSize) / hopSize);
      for (let t = 0; t < frameCount; t++) {
        analyseFrame(left, t, frame.leftRe, frame.leftIm, 0);
        analyseFrame(right, t, frame.rightRe, frame.rightIm, 0);
        readFrame(t, frame);
      }
    },
    synthesise({ sampleCount, leftRe, leftIm, rightRe, rightIm }, gains, pool) {
      const createSide = (): Float32Array => pool?.acquire(sampleCount) ?? new Float32Array(sampleCount);
      return {
        left: synthesiseSide(leftRe, leftIm, gains, createSide()),
        right: synthesiseSide(rightRe, rightIm, gains, createSide()),
      };
    },
    synthesiseFrames(frameCount, sampleCount, writeFrame) {
      const frame = createFrame();
      const audio = { left: new Float32Array(sampleCount), right: new Float32Array(sampleCount) };
      for (let t = 0; t < frameCount; t++) {
        writeFrame(t, frame);
        packFrame(frame.leftRe, frame.leftIm, 0);
        addPacked(t, audio.left);
        packFrame(frame.rightRe, frame.rightIm, 0);
        addPacked(t, audio.right);
      }
      return audio;
    },
  };
}

function createFrame(): StereoFrame {
  const createArray = (): Float32Array => new Float32Array(binCount);
  return {
    leftRe: createArray(),
    leftIm: createArray(),
    rightRe: createArray(),
    rightIm: createArray(),
  };
}

/** Writes the magnitude of each bin over both audio channels, of a spectrogram or of a frame. */
export function writeMagnitude(
  { leftRe, leftIm, rightRe, rightIm }: StereoFrame,
  magnitude: Float32Array,
): void {
  for (let i = 0; i < magnitude.length; i++) {
    const a = leftRe[i] as number;
    const b = leftIm[i] as number;
    const c = rightRe[i] as number;
    const d = rightIm[i] as number;
    magnitude[i] = Math.sqrt(a * a + b * b + c * c + d * d);
  }
}
