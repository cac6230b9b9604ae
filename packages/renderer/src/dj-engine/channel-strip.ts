import { KnobFilter } from '@stem-studio/dsp/filter/knob-filter';
import { DeckEffects } from '../effects/deck-effects.ts';
import { GAIN_RAMP_SECONDS, GainRamp } from '../gain/gain-ramp.ts';
import { SwitchedEq } from '../gain/switched-eq.ts';
import { BLOCK_FRAMES } from '../playback/source-playback.ts';
import type { ChannelStripSetting } from './dj-engine-messages.ts';

/** Largest gain factor, +30 dB. */
const MAX_GAIN = 32;

/**
 * Channel strip of a deck: `gain → equaliser → filter → effects → (headphones) → volume → crossfader → effects →
 * master`. Allocates nothing in `process`.
 *
 * A filter at rest passes samples unchanged; so does the equaliser until one of its bands is moved for the first time.
 */
export class ChannelStrip {
  /** Peak samples after the volume fader, left and right, since they were last set to 0. */
  readonly peaks = new Float32Array(2);
  readonly effects: DeckEffects;
  readonly #cued: readonly [Float32Array, Float32Array] = [
    new Float32Array(BLOCK_FRAMES),
    new Float32Array(BLOCK_FRAMES),
  ];
  readonly #gain: GainRamp;
  readonly #eq: SwitchedEq;
  readonly #filter: KnobFilter;
  readonly #volume: GainRamp;
  readonly #fader: GainRamp;
  readonly #cue: GainRamp;

  constructor(sampleRateHz: number) {
    const ramp = Math.floor(GAIN_RAMP_SECONDS * sampleRateHz);
    this.effects = new DeckEffects(sampleRateHz);
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
    this.effects.setCued(isCued);
  }

  /** Sets the gain of the crossfader. */
  setFader(gain: number): void {
    this.#fader.set(gain);
  }

  /** Processes a block of at most {@link BLOCK_FRAMES} in place and adds it to the master and headphone buses. The clock
   * of the effects is at the beginning of the block. */
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
    this.effects.processPre(left, right, frames);
    this.#listen(left, right, frames, headphones);
    let [leftPeak = 0, rightPeak = 0] = this.peaks;
    for (let n = 0; n < frames; n++) {
      const volume = this.#volume.next();
      const fader = this.#fader.next();
      const l = left[n]!;
      const r = right[n]!;
      leftPeak = Math.max(leftPeak, Math.abs(l) * volume);
      rightPeak = Math.max(rightPeak, Math.abs(r) * volume);
      const out = volume * fader;
      left[n] = l * out;
      right[n] = r * out;
    }
    this.peaks[0] = leftPeak;
    this.peaks[1] = rightPeak;
    this.effects.processPost(left, right, frames);
    for (let n = 0; n < frames; n++) {
      master[0][n]! += left[n]!;
      master[1][n]! += right[n]!;
    }
  }

  /** Adds a block to the headphones, with the effects that come after the fader. */
  #listen(
    left: Float32Array,
    right: Float32Array,
    frames: number,
    headphones: readonly [Float32Array, Float32Array],
  ): void {
    const cue = this.#cue;
    if (cue.isSettled && cue.target === 0 && !this.effects.hasCued) return;
    const hasOwn = this.effects.hasCued;
    const l = hasOwn ? this.#cued[0] : left;
    const r = hasOwn ? this.#cued[1] : right;
    if (hasOwn) {
      for (let n = 0; n < frames; n++) {
        l[n] = left[n]!;
        r[n] = right[n]!;
      }
      this.effects.processCued(l, r, frames);
    }
    for (let n = 0; n < frames; n++) {
      const gain = cue.next();
      headphones[0][n]! += l[n]! * gain;
      headphones[1][n]! += r[n]! * gain;
    }
  }
}

function clamped(gain: number, most: number): number {
  return Math.min(most, Math.max(0, gain));
}
