import { createRealFft, loadFft } from '../transform/fft.ts';
import { hannWindow } from '../transform/window.ts';
import { type BufferPool, createBufferPool } from './buffer-pool.ts';
import { frameSize, hopSize } from './stereo-spectrogram.ts';
import { createVoiceNetwork, voiceBins, voiceWindowFrames, voiceWindowStep } from './voice-network.ts';

/** Frames over which two windows are cross-faded: 0.7 s. */
const fadeFrames = 32;
/** Largest sample, 40 dB above full scale, so that no magnitude overflows. */
const loudest = 100;

/** Masks of the voice for consecutive frames of a `StereoSpectrogram`. */
export interface VoiceMasks {
  readonly frameCount: number;
  /** {@link voiceBins} values per frame, 0 to 1, of the left audio channel. The accompaniment has the rest. */
  readonly left: Float32Array;
  readonly right: Float32Array;
}

/** Masks of a recording, computed while it is read. */
export interface VoiceMaskStream {
  /** Adds blocks of equal length. */
  push(left: Float32Array, right: Float32Array): void;
  /** Ends the recording and emits the remaining frames. */
  finish(): void;
}

/** Estimates masks of the voice, in one thread. */
export interface VoiceMaskEstimator {
  /**
   * Returns the masks of 44.1 kHz stereo for the frames of `SpectrogramTransform.analyse`: the same number at the same
   * positions. Deterministic. Samples that are not finite count as silence, whose masks are 0.5.
   *
   * @param report receives the fraction done, 0 to 1, never falling
   * @param pool provides the masks
   * @throws RangeError if the audio channels differ in length
   */
  estimate(
    left: Float32Array,
    right: Float32Array,
    report?: (part: number) => void,
    pool?: BufferPool,
  ): VoiceMasks;
  /**
   * Starts a recording of any length; memory does not grow with it. Streams of one estimator must not be used alternately.
   *
   * @param onMasks receives the frames that are final, in order, with the index of the first; overwritten afterwards
   */
  stream(onMasks: (masks: VoiceMasks, firstFrame: number) => void): VoiceMaskStream;
}

/**
 * Creates an estimator of the voice's masks below 11 kHz.
 *
 * ```
 * audio → magnitudes → windows of 512 frames → network → cross-fade of 32 frames → masks
 * ```
 *
 * The last window ends with the recording. A recording shorter than a window gets a shorter one, padded with silence to
 * a multiple of {@link voiceWindowStep} frames.
 *
 * @param weights contents of `voice.weights`
 * @throws RangeError if the weights are truncated, altered or of another network
 * @see `voice-network`
 */
export async function createVoiceMaskEstimator(weights: Uint8Array): Promise<VoiceMaskEstimator> {
  await loadFft();
  const network = await createVoiceNetwork(weights);
  const fft = createRealFft(frameSize);
  const window = hannWindow(frameSize);
  const windowed = new Float32Array(frameSize);
  const packed = new Float32Array(frameSize);
  const sides = ['left', 'right'] as const;
  const planeSize = voiceWindowFrames * voiceBins;
  /** Magnitudes of the last 512 frames: frame t is at t modulo 512. */
  const recent = { left: new Float32Array(planeSize), right: new Float32Array(planeSize) };
  const emitted = { left: new Float32Array(planeSize), right: new Float32Array(planeSize) };
  const tail = {
    left: new Float32Array(fadeFrames * voiceBins),
    right: new Float32Array(fadeFrames * voiceBins),
  };
  // The last samples of the audio: a frame and space for a block.
  const blockSize = 64 * hopSize;
  const pending = {
    left: new Float32Array(frameSize + blockSize),
    right: new Float32Array(frameSize + blockSize),
  };

  const stream = (onMasks: (masks: VoiceMasks, firstFrame: number) => void): VoiceMaskStream => {
    /** Samples in `pending`; the first frame begins with the padding. */
    let held = frameSize - hopSize;
    let sampleCount = 0;
    /** Frames of the recording whose magnitudes are known. */
    let frameCount = 0;
    let emittedCount = 0;
    let hasTail = false;
    for (const side of sides) pending[side].fill(0);

    /** Runs the network on the last frames and emits those that are final: without the last 32 unless `isLast`. */
    const runWindow = (isLast: boolean): void => {
      const filled = Math.min(frameCount, voiceWindowFrames);
      const oldest = (frameCount % voiceWindowFrames) * voiceBins;
      for (const side of sides) {
        const input = network.input[side];
        if (filled < voiceWindowFrames) {
          input.set(recent[side]);
          input.fill(0, filled * voiceBins);
        } else {
          input.set(recent[side].subarray(oldest));
          input.set(recent[side].subarray(0, oldest), planeSize - oldest);
        }
      }
      const { mask } = network.estimate(Math.ceil(filled / voiceWindowStep) * voiceWindowStep);
      const firstFrame = frameCount - filled;
      const skipped = emittedCount - firstFrame;
      const count = filled - skipped - (isLast ? 0 : fadeFrames);
      for (const side of sides) {
        const to = emitted[side];
        to.set(mask[side].subarray(skipped * voiceBins, (skipped + count) * voiceBins));
        if (hasTail) crossFade(tail[side], to);
        if (!isLast) tail[side].set(mask[side].subarray((filled - fadeFrames) * voiceBins));
      }
      const size = count * voiceBins;
      onMasks(
        { frameCount: count, left: emitted.left.subarray(0, size), right: emitted.right.subarray(0, size) },
        emittedCount,
      );
      emittedCount += count;
      hasTail = !isLast;
    };

    const addFrame = (start: number): void => {
      // A further frame follows, so the window is not the last one.
      if (frameCount - emittedCount === voiceWindowFrames) runWindow(false);
      const row = (frameCount % voiceWindowFrames) * voiceBins;
      for (const side of sides) {
        const samples = pending[side];
        for (let i = 0; i < frameSize; i++)
          windowed[i] = (window[i] as number) * (samples[start + i] as number);
        fft.forwardPacked(windowed, packed);
        writeMagnitudes(packed, recent[side], row);
      }
      frameCount += 1;
    };

    /** Turns complete frames of `pending` into magnitudes. */
    const addFrames = (): void => {
      let start = 0;
      for (; start + frameSize <= held; start += hopSize) addFrame(start);
      for (const side of sides) pending[side].copyWithin(0, start, held);
      held -= start;
    };

    return {
      push(left, right) {
        if (left.length !== right.length)
          throw new RangeError(`both sides must have one length (got ${left.length} and ${right.length})`);
        for (let from = 0; from < left.length; ) {
          const count = Math.min(left.length - from, pending.left.length - held);
          copyFinite(left, from, count, pending.left, held);
          copyFinite(right, from, count, pending.right, held);
          held += count;
          from += count;
          addFrames();
        }
        sampleCount += left.length;
      },
      finish() {
        const expected = Math.ceil((sampleCount + frameSize - hopSize) / hopSize);
        for (let missing = expected - frameCount; missing > 0; missing--) {
          for (const side of sides) pending[side].fill(0, held);
          held = frameSize;
          addFrames();
        }
        runWindow(true);
      },
    };
  };

  return {
    stream,
    estimate(left, right, report = () => {}, pool = createBufferPool()) {
      const frameCount = Math.ceil((left.length + frameSize - hopSize) / hopSize);
      const masks = {
        frameCount,
        left: pool.acquire(frameCount * voiceBins),
        right: pool.acquire(frameCount * voiceBins),
      };
      const whole = stream((part, firstFrame) => {
        masks.left.set(part.left, firstFrame * voiceBins);
        masks.right.set(part.right, firstFrame * voiceBins);
        report((firstFrame + part.frameCount) / frameCount);
      });
      whole.push(left, right);
      whole.finish();
      return masks;
    },
  };
}

/** Writes the magnitudes of the lowest {@link voiceBins} bins of a spectrum as `forwardPacked` returns it. */
function writeMagnitudes(packed: Float32Array, to: Float32Array, at: number): void {
  to[at] = Math.abs(packed[0] as number);
  for (let k = 1; k < voiceBins; k++) {
    const a = packed[2 * k] as number;
    const b = packed[2 * k + 1] as number;
    to[at + k] = Math.sqrt(a * a + b * b);
  }
}

/** Copies samples; those that are not finite become 0, those beyond ±{@link loudest} are limited. */
function copyFinite(from: Float32Array, start: number, count: number, to: Float32Array, at: number): void {
  for (let i = 0; i < count; i++) {
    const sample = from[start + i] as number;
    to[at + i] = Number.isFinite(sample) ? Math.min(loudest, Math.max(-loudest, sample)) : 0;
  }
}

/** Fades from the end of one window, of {@link fadeFrames} frames, to the beginning of the next. */
function crossFade(tail: Float32Array, to: Float32Array): void {
  for (let t = 0; t < fadeFrames; t++) {
    const weight = (t + 0.5) / fadeFrames;
    for (let i = t * voiceBins; i < (t + 1) * voiceBins; i++)
      to[i] = (tail[i] as number) * (1 - weight) + (to[i] as number) * weight;
  }
}
