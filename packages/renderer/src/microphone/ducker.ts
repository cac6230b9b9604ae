import type { MicrophoneSetting } from './microphone-messages.ts';

/** Time constant of the level that is compared with the threshold, in seconds: some periods of low speech. */
const LEVEL_SECONDS = 0.01;
/** Time for which the music stays down after the end of speech, in seconds: short pauses do not pump. */
const HOLD_SECONDS = 0.4;
/** Distance below the threshold at which speech counts as ended, in dB: the level of speech wavers. */
const HYSTERESIS_DB = 6;
/** Gains closer than this to their target have reached it. */
const REACHED = 1e-5;

/**
 * Turns the music down while somebody speaks: `speech → mean square over 10 ms → threshold, hold → attack, release → gain`.
 *
 * The gain approaches its target exponentially and is 95 % there after the attack or release time. Allocates nothing.
 */
export class Ducker {
  /** Lowest gain since it was last set to 1. */
  lowestGain = 1;
  readonly #sampleRateHz: number;
  readonly #smoothing: number;
  #isOn = false;
  #threshold = 1;
  #depth = 1;
  #attack = 1;
  #release = 1;
  #square = 0;
  #holdLeft = 0;
  #gain = 1;

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
    this.#smoothing = coefficient(LEVEL_SECONDS, sampleRateHz);
  }

  /** Whether the music is or may be turned down. */
  get isActive(): boolean {
    return this.#isOn || this.#gain !== 1;
  }

  /** Sets threshold, depth and times; off releases the music. */
  set({ isOn, isTalkOver, thresholdDb, depthDb, attackMs, releaseMs }: MicrophoneSetting): void {
    this.#isOn = isOn && isTalkOver;
    this.#threshold = 10 ** (thresholdDb / 10);
    this.#depth = 10 ** (Math.min(0, depthDb) / 20);
    // 95 % of the way after three time constants.
    this.#attack = coefficient(Math.max(1, attackMs) / 3000, this.#sampleRateHz);
    this.#release = coefficient(Math.max(1, releaseMs) / 3000, this.#sampleRateHz);
  }

  /** Writes the gain of the music for each sample of the speech. */
  process(speech: Float32Array, gains: Float32Array, frames: number): void {
    const hold = HOLD_SECONDS * this.#sampleRateHz;
    const release = this.#threshold * 10 ** (-HYSTERESIS_DB / 10);
    for (let n = 0; n < frames; n++) {
      const sample = speech[n]!;
      this.#square += (sample * sample - this.#square) * this.#smoothing;
      const isLoud = this.#square >= (this.#holdLeft > 0 ? release : this.#threshold);
      this.#holdLeft = isLoud ? hold : Math.max(0, this.#holdLeft - 1);
      const isDown = this.#isOn && this.#holdLeft > 0;
      const target = isDown ? this.#depth : 1;
      const speed = target < this.#gain ? this.#attack : this.#release;
      this.#gain += (target - this.#gain) * speed;
      if (Math.abs(target - this.#gain) < REACHED) this.#gain = target;
      gains[n] = this.#gain;
      this.lowestGain = Math.min(this.lowestGain, this.#gain);
    }
  }
}

function coefficient(seconds: number, sampleRateHz: number): number {
  return 1 - Math.exp(-1 / (seconds * sampleRateHz));
}
