import { SafetyLimiter } from '../gain/safety-limiter.ts';
import type { MicrophoneChannel } from '../microphone/microphone-channel.ts';
import { BLOCK_FRAMES } from '../playback/source-playback.ts';
import type { RecordingTap } from './recording-tap.ts';

/**
 * The mix with the microphone, and the one that is recorded: the same, or the music as it would be without the
 * microphone.
 *
 * `music → ducking → + speech, clicks → (limiter of the master)`
 * `music, clicks → limiter → recorder`, where the microphone is not recorded
 *
 * Both limiters have the same delay, so that switching between the two changes nothing but the speech. Allocates nothing.
 */
export class RecordedMix {
  readonly #limiter: SafetyLimiter;
  readonly #left = new Float32Array(BLOCK_FRAMES);
  readonly #right = new Float32Array(BLOCK_FRAMES);
  readonly #parts = new Float32Array(BLOCK_FRAMES);
  /** Whether the block has a mix of its own for the recorder. */
  #isApart = false;
  /** Samples for which the own mix continues after the microphone was turned off. */
  #apartFor = 0;

  constructor(sampleRateHz: number) {
    this.#limiter = new SafetyLimiter(sampleRateHz);
  }

  /** Adds speech and clicks to the music in place, and turns the music down. */
  take(
    left: Float32Array,
    right: Float32Array,
    clicks: Float32Array | null,
    microphone: MicrophoneChannel,
    frames: number,
  ): void {
    // Both limiters run as long as either recording may be wanted, so that their histories agree.
    for (let n = 0; n < frames; n++) {
      const click = clicks ? clicks[n]! : 0;
      const l = left[n]! + click;
      const r = right[n]! + click;
      this.#left[n] = l;
      this.#right[n] = r;
      this.#parts[n] = microphone.recorded.next();
      const duck = microphone.duckGains[n]!;
      const speech = microphone.speech[n]!;
      left[n] = left[n]! * duck + click + speech;
      right[n] = right[n]! * duck + click + speech;
    }
    this.#limiter.process(this.#left, this.#right, frames);
    this.#apartFor = microphone.isActive ? this.#limiter.delayFrames + frames : this.#apartFor - frames;
    this.#isApart = this.#apartFor > 0;
  }

  /** Passes the mix to the recorder. */
  record(left: Float32Array, right: Float32Array, recorder: RecordingTap, frames: number): void {
    if (!this.#isApart) {
      recorder.process(left, right, frames);
      return;
    }
    for (let n = 0; n < frames; n++) {
      const part = this.#parts[n]!;
      this.#left[n] = left[n]! * part + this.#left[n]! * (1 - part);
      this.#right[n] = right[n]! * part + this.#right[n]! * (1 - part);
    }
    recorder.process(this.#left, this.#right, frames);
  }
}
