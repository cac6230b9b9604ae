import { GAIN_RAMP_SECONDS, GainRamp } from '../gain/gain-ramp.ts';
import { SwitchedEq } from '../gain/switched-eq.ts';
import { Compressor } from './compressor.ts';
import { type LaneSetting, MOST_LANE_EQ_GAIN } from './lane-setting.ts';

/**
 * Channel strip of a lane: `clips → equaliser → compressor → fader and pan → sum`, and after the fader to the reverb.
 * What is not used passes samples unchanged. Allocates nothing in `add`.
 */
export class LaneStrip {
  /** Highest absolute sample after the fader since it was last set to 0. */
  peak = 0;
  readonly #eq: SwitchedEq;
  readonly #compressor: Compressor;
  readonly #left: GainRamp;
  readonly #right: GainRamp;
  readonly #send: GainRamp;

  constructor(sampleRateHz: number, blockFrames: number) {
    const ramp = Math.floor(GAIN_RAMP_SECONDS * sampleRateHz);
    this.#eq = new SwitchedEq(sampleRateHz, blockFrames, MOST_LANE_EQ_GAIN);
    this.#compressor = new Compressor(sampleRateHz);
    this.#left = new GainRamp(0, ramp);
    this.#right = new GainRamp(0, ramp);
    this.#send = new GainRamp(0, ramp);
  }

  /** Gain reduction of the compressor, in dB, 0 or less. */
  get reductionDb(): number {
    return this.#compressor.reductionDb;
  }

  /** Whether nothing of the lane is audible, nor will be in the next block. */
  get isSilent(): boolean {
    return isClosed(this.#left) && isClosed(this.#right);
  }

  /** Whether some of it goes to the reverb. */
  get isSending(): boolean {
    return !isClosed(this.#send);
  }

  /** Moves to other settings; at once where nothing is audible. */
  set({ leftGain, rightGain, eq, compressor, send }: LaneSetting, isImmediate: boolean): void {
    this.#left.set(leftGain, isImmediate);
    this.#right.set(rightGain, isImmediate);
    this.#send.set(send, isImmediate);
    this.#eq.set(eq);
    this.#compressor.set(compressor);
    if (!isImmediate) return;
    this.#eq.jump();
    this.#compressor.reset();
  }

  /** Processes a block of clips in place, and adds it to the sum and the input of the reverb. */
  add(
    input: readonly [Float32Array, Float32Array],
    frames: number,
    [sumLeft, sumRight]: readonly [Float32Array, Float32Array],
    [sendLeft, sendRight]: readonly [Float32Array, Float32Array],
  ): void {
    const [left, right] = input;
    this.#eq.process(left, right, frames);
    this.#compressor.process(left, right, frames);
    const { isSending } = this;
    if (this.#left.isSettled && this.#right.isSettled && !isSending) {
      this.#addSteady(input, frames, sumLeft, sumRight);
      return;
    }
    for (let n = 0; n < frames; n++) {
      const l = left[n]! * this.#left.next();
      const r = right[n]! * this.#right.next();
      sumLeft[n]! += l;
      sumRight[n]! += r;
      const level = Math.max(Math.abs(l), Math.abs(r));
      if (level > this.peak) this.peak = level;
      if (!isSending) continue;
      const send = this.#send.next();
      sendLeft[n]! += l * send;
      sendRight[n]! += r * send;
    }
  }

  /** Adds a block with gains that do not move. */
  #addSteady(
    [left, right]: readonly [Float32Array, Float32Array],
    frames: number,
    sumLeft: Float32Array,
    sumRight: Float32Array,
  ): void {
    const leftGain = this.#left.target;
    const rightGain = this.#right.target;
    let { peak } = this;
    for (let n = 0; n < frames; n++) {
      const l = left[n]! * leftGain;
      const r = right[n]! * rightGain;
      sumLeft[n]! += l;
      sumRight[n]! += r;
      if (l > peak) peak = l;
      else if (-l > peak) peak = -l;
      if (r > peak) peak = r;
      else if (-r > peak) peak = -r;
    }
    this.peak = peak;
  }
}

const isClosed = (gain: GainRamp) => gain.isSettled && gain.target === 0;
