import type { StereoReader } from '@stem-studio/dsp/signal/stereo-reader';
import { Varispeed } from '@stem-studio/dsp/signal/varispeed';
import type { KeyLock } from '@stem-studio/dsp/stretch/key-lock';
import { FADE_SECONDS, fadeInGain } from '../gain/fade-curve.ts';
import { BLOCK_FRAMES } from '../playback/source-playback.ts';
import type { LoadedSample } from './loaded-sample.ts';

/** Fade-in of a sample that starts in its middle, in seconds: shorter than that of a stop, so that it keeps its attack. */
const ENTRY_SECONDS = 0.002;
/** Faster than this, in frames of the sample for one of output, the interpolation would alias. */
const RATES = { least: 0.25, most: 4 };

/** How a voice starts. */
export interface VoiceStart {
  sample: LoadedSample;
  isLoop: boolean;
  /** Sample of the present block at which it starts, with its fraction. */
  at: number;
  /** Position in the sample in frames. */
  frame: number;
  gain: number;
  /** Key lock to play by; null for varispeed. */
  lock: KeyLock | null;
}

/**
 * One playback of a sample. It starts and stops at any sample of a block: `sample → varispeed | key lock → fades`.
 * Allocates nothing in `process`.
 */
export class SamplerVoice {
  /** Key lock in use; null while it plays by varispeed or not at all. */
  lock: KeyLock | null = null;
  readonly #varispeed = new Varispeed();
  readonly #left = new Float32Array(BLOCK_FRAMES);
  readonly #right = new Float32Array(BLOCK_FRAMES);
  readonly #fadeFrames: number;
  readonly #entryFrames: number;
  #sample: LoadedSample | null = null;
  #reader: StereoReader | null = null;
  #isLoop = false;
  #position = 0;
  #rate = 1;
  #gain = 1;
  /** Output samples until it starts. */
  #startsIn = 0;
  /** Fraction of an output sample between the moment of the start and the first sample after it. */
  #fraction = 0;
  /** Output samples until it fades out; infinite while it is not released. */
  #releaseIn = Number.POSITIVE_INFINITY;
  #entered = 0;
  #released = 0;

  constructor(sampleRateHz: number) {
    this.#fadeFrames = Math.floor(FADE_SECONDS * sampleRateHz);
    this.#entryFrames = Math.floor(ENTRY_SECONDS * sampleRateHz);
  }

  /** Whether it plays, or starts in this block. */
  get isPlaying(): boolean {
    return this.#sample !== null;
  }

  /** Whether it plays and was not stopped. */
  get isHeld(): boolean {
    return this.#sample !== null && this.#releaseIn === Number.POSITIVE_INFINITY;
  }

  /** Whether it repeats its sample. */
  get isLoop(): boolean {
    return this.#isLoop;
  }

  /** Position in frames of the sample; rounds of a loop are counted on. */
  get frame(): number {
    return this.#position;
  }

  /** Starts a sample. */
  start({ sample, isLoop, at, frame, gain, lock }: VoiceStart): void {
    this.#sample = sample;
    this.#reader = isLoop ? sample.round : sample.once;
    this.#isLoop = isLoop;
    this.#startsIn = Math.ceil(at);
    this.#fraction = this.#startsIn - at;
    this.#position = frame;
    this.#gain = gain;
    this.#rate = 0;
    this.#releaseIn = Number.POSITIVE_INFINITY;
    // A sample that starts at its beginning has a fade of its own there.
    this.#entered = frame === 0 ? this.#entryFrames : 0;
    this.#released = 0;
    this.lock = lock;
  }

  /** Fades out from sample `at` of the present block on. */
  release(at: number): void {
    this.#releaseIn = Math.min(this.#releaseIn, Math.max(0, Math.ceil(at)));
  }

  /** Stops at once, where nothing is audible. */
  reset(): void {
    this.#sample = null;
    this.#reader = null;
    this.lock = null;
  }

  /**
   * Adds the next block to `left` and `right`.
   *
   * @param rate frames of the sample per output sample
   */
  process(left: Float32Array, right: Float32Array, frames: number, rate: number): void {
    const sample = this.#sample;
    if (!sample || !this.#reader) return;
    const from = Math.min(frames, this.#startsIn);
    this.#startsIn -= from;
    const count = frames - from;
    if (count === 0) return;
    const step = Math.min(RATES.most, Math.max(RATES.least, rate));
    if (this.#rate === 0) {
      // The beat lies between two output samples.
      this.#position += step === 1 ? 0 : this.#fraction * step;
      this.#rate = step;
      this.lock?.reset(this.#position);
    }
    if (this.lock) {
      this.lock.process(this.#reader, step, 0, this.#left, this.#right, count);
      this.#position = this.lock.position;
    } else {
      this.#position = this.#varispeed.process(
        this.#reader,
        this.#position,
        this.#rate,
        step,
        this.#left,
        this.#right,
        count,
      );
    }
    this.#rate = step;
    this.#add(left, right, from, count);
    const hasEnded = !this.#isLoop && this.#position >= sample.frames;
    if (hasEnded || this.#released >= this.#fadeFrames) this.reset();
  }

  #add(left: Float32Array, right: Float32Array, from: number, count: number): void {
    let until = Math.max(0, this.#releaseIn - from);
    for (let n = 0; n < count; n++) {
      let gain = this.#gain;
      if (this.#entered < this.#entryFrames) gain *= fadeInGain(this.#entered++ / this.#entryFrames);
      if (until > 0) until--;
      else if (this.#released < this.#fadeFrames) gain *= 1 - fadeInGain(++this.#released / this.#fadeFrames);
      else gain = 0;
      left[from + n]! += this.#left[n]! * gain;
      right[from + n]! += this.#right[n]! * gain;
    }
    this.#releaseIn = until;
  }
}
