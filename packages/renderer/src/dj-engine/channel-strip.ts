import { KnobFilter } from '@stem-studio/dsp/filter/knob-filter';
import { GAIN_RAMP_SECONDS, GainRamp } from '../gain/gain-ramp.ts';
import { SwitchedEq } from '../gain/switched-eq.ts';
import { BLOCK_FRAMES } from '../playback/source-playback.ts';
import type { ChannelStripSetting } from './dj-engine-messages.ts';

/** Largest gain factor, +30 dB. */
const MAX_GAIN = 32;

/**
 * Channel strip of a deck: `gain → equaliser → filter → (headphones) → volume → crossfader → master`. Allocates nothing
 * in `process`.
 *
 * A filter at rest passes samples unchanged; so does the equaliser until one of its bands is moved for the first time.
 */
export class ChannelStrip {
  /** Peak samples after the volume fader, left and right, since they were last set to 0. */
  readonly peaks = new Float32Array(2);
  readonly #gain: GainRamp;
  readonly #eq: SwitchedEq;
  readonly #filter: KnobFilter;
  readonly #volume: GainRamp;
  readonly #fader: GainRamp;
  readonly #cue: GainRamp;

  constructor(sampleRateHz: number) {
    const ramp = Math.floor(GAIN_RAMP_SECONDS * sampleRateHz);
    this.#gain = new GainRamp(1, ramp);
    this.#eq = new SwitchedEq(sampleRateHz, BLOCK_FRAMES);
    this.#filter = new KnobFilter(sampleRateHz);
    this.#volume = new GainRamp(1, ramp);
    this.#fader = new GainRamp(1, ramp);
    this.#cue = new GainRamp(0, ramp);
  }

  /** Sets knobs and fader. */
  set({ gain, low, mid, high, filter, volume, isCued }: ChannelStripSetting): void {
    this.#gain.set(clamped(gain, MAX_GAIN));
    this.#eq.set({ low, mid, high });
    this.#filter.set(filter);
    this.#volume.set(clamped(volume, 1));
    this.#cue.set(isCued ? 1 : 0);
  }

  /** Sets the gain of the crossfader. */
  setFader(gain: number): void {
    this.#fader.set(gain);
  }

  /** Processes a block of at most {@link BLOCK_FRAMES} in place and adds it to the master and headphone buses. */
  process(
    left: Float32Array,
    right: Float32Array,
    frames: number,
    master: readonly [Float32Array, Float32Array],
    headphones: readonly [Float32Array, Float32Array],
  ): void {
    for (let n = 0; n < frames; n++) {
      const gain = this.#gain.next();
      left[n]! *= gain;
      right[n]! *= gain;
    }
    this.#eq.process(left, right, frames);
    this.#filter.process(left, right, frames);
    let [leftPeak = 0, rightPeak = 0] = this.peaks;
    for (let n = 0; n < frames; n++) {
      const cue = this.#cue.next();
      const volume = this.#volume.next();
      const fader = this.#fader.next();
      const l = left[n]!;
      const r = right[n]!;
      headphones[0][n]! += l * cue;
      headphones[1][n]! += r * cue;
      leftPeak = Math.max(leftPeak, Math.abs(l) * volume);
      rightPeak = Math.max(rightPeak, Math.abs(r) * volume);
      const out = volume * fader;
      master[0][n]! += l * out;
      master[1][n]! += r * out;
    }
    this.peaks[0] = leftPeak;
    this.peaks[1] = rightPeak;
  }
}

function clamped(gain: number, most: number): number {
  return Math.min(most, Math.max(0, gain));
}
