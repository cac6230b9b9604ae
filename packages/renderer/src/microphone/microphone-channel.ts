import { createBiquad } from '@stem-studio/dsp/filter/biquad';
import { BUTTERWORTH_4, secondOrder } from '@stem-studio/dsp/filter/second-order';
import { GAIN_RAMP_SECONDS, GainRamp } from '../gain/gain-ramp.ts';
import { BLOCK_FRAMES } from '../playback/source-playback.ts';
import { Ducker } from './ducker.ts';
import type { MicrophoneReport, MicrophoneSetting } from './microphone-messages.ts';

const MAX_GAIN = 32;
/** Cutoff of the low-cut, below the lowest speech. */
const LOW_CUT_HZ = 100;

/**
 * Microphone of the mixer: `input → low-cut → gain → on/off → speech`, and the gain by which the music is turned down while
 * somebody speaks. Allocates nothing in `process`.
 *
 * @spec Microphone
 */
export class MicrophoneChannel {
  /** The speech of the last block, mono. */
  readonly speech = new Float32Array(BLOCK_FRAMES);
  /** Gain of the music for each sample of the last block. */
  readonly duckGains = new Float32Array(BLOCK_FRAMES).fill(1);
  /** Part of speech and ducking in the recording, 0 or 1, or between them while it is switched. */
  readonly recorded: GainRamp;
  readonly #ducker: Ducker;
  readonly #sections: readonly ReturnType<typeof createBiquad>[];
  readonly #filtered = new Float64Array(BLOCK_FRAMES);
  readonly #gain: GainRamp;
  readonly #cut: GainRamp;
  readonly #power: GainRamp;
  #peak = 0;

  constructor(sampleRateHz: number) {
    const ramp = Math.floor(GAIN_RAMP_SECONDS * sampleRateHz);
    this.#ducker = new Ducker(sampleRateHz);
    this.#sections = BUTTERWORTH_4.map((q) =>
      createBiquad(secondOrder('highpass', LOW_CUT_HZ, q, sampleRateHz)),
    );
    this.#gain = new GainRamp(1, ramp);
    this.#cut = new GainRamp(1, ramp);
    this.#power = new GainRamp(0, ramp);
    this.recorded = new GainRamp(1, ramp);
  }

  /** Whether it is on, or is turned off without a click. */
  get isActive(): boolean {
    return this.#power.target > 0 || !this.#power.isSettled || this.#ducker.isActive;
  }

  /** Changes the setting. */
  set(setting: MicrophoneSetting): void {
    this.#power.set(setting.isOn ? 1 : 0);
    this.#gain.set(Math.min(MAX_GAIN, Math.max(0, setting.gain)));
    this.#cut.set(setting.hasLowCut ? 1 : 0);
    this.recorded.set(setting.isRecorded ? 1 : 0);
    this.#ducker.set(setting);
  }

  /** Computes {@link speech} and {@link duckGains} of a block; without an input the speech is silent. */
  process(input: Float32Array | null, from: number, frames: number): void {
    const filtered = this.#filtered;
    for (let n = 0; n < frames; n++) filtered[n] = input ? input[from + n]! : 0;
    for (let index = 0; index < this.#sections.length; index++) {
      this.#sections[index]!.process(filtered, frames);
    }
    for (let n = 0; n < frames; n++) {
      const raw = input ? input[from + n]! : 0;
      const cut = this.#cut.next();
      const sample = (raw + (filtered[n]! - raw) * cut) * this.#gain.next() * this.#power.next();
      this.speech[n] = sample;
      this.#peak = Math.max(this.#peak, Math.abs(sample));
    }
    this.#ducker.process(this.speech, this.duckGains, frames);
  }

  /** Returns level and ducking since the last report. */
  report(): MicrophoneReport {
    const report = { peak: this.#peak, duckGain: this.#ducker.lowestGain };
    this.#peak = 0;
    this.#ducker.lowestGain = 1;
    return report;
  }
}
