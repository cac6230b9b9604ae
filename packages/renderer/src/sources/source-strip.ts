import { GainRamp } from '../gain/gain-ramp.ts';
import { panGain } from '../gain/pan-law.ts';
import type { StemTone } from '../stem-mixer/stem-mixer-messages.ts';
import { BandCache, type BandSamples, createBandSamples } from './band-cache.ts';
import type { ChunkedSource } from './chunked-source.ts';

/** Frames that are mixed at once. */
const SLICE = 1024;
/** Length of the crossfade between the recorded signal and the equaliser, whose phase differs, in fader ramps. */
const EQ_RAMPS = 3;
/** Change of a gain from which it counts as switched instead of moved. */
const LEAP = 0.3;

/**
 * Fader, pan and equaliser of a source: `source → equaliser → pan → fader`.
 *
 * Each is a gain that applies where the source is read and moves at the time when that is audible, so that nothing
 * clicks and loops and key lock stay exact. With the equaliser at rest and the pan in the centre, samples pass as
 * stored, at the fader. Allocates nothing in `addTo` and `advance`.
 */
export class SourceStrip {
  readonly #source: ChunkedSource;
  readonly #sampleRateHz: number;
  readonly #fader: GainRamp;
  readonly #panLeft: GainRamp;
  readonly #panRight: GainRamp;
  readonly #low: GainRamp;
  readonly #mid: GainRamp;
  readonly #high: GainRamp;
  /** Part of the equaliser in the output: 0 while it is at rest. */
  readonly #wet: GainRamp;
  /** Null until the equaliser is used. */
  #bands: { readonly cache: BandCache; readonly samples: BandSamples } | null = null;
  readonly #left = new Float32Array(SLICE);
  readonly #right = new Float32Array(SLICE);

  /** @param rampFrames output samples in which a gain reaches its value */
  constructor(source: ChunkedSource, sampleRateHz: number, rampFrames: number) {
    this.#source = source;
    this.#sampleRateHz = sampleRateHz;
    const ramp = (initial: number, ramps = 1) => new GainRamp(initial, ramps * rampFrames);
    this.#fader = ramp(1);
    this.#panLeft = ramp(1);
    this.#panRight = ramp(1);
    this.#low = ramp(1);
    this.#mid = ramp(1);
    this.#high = ramp(1);
    this.#wet = ramp(0, EQ_RAMPS);
  }

  /** Whether the fader is closed. */
  get isSilent(): boolean {
    return this.#fader.isSettled && this.#fader.target === 0;
  }

  /** Sets the fader, linear from 0 on; at once with `isAtOnce`, where nothing is audible. */
  setFader(gain: number, isAtOnce: boolean): void {
    this.#fader.set(Math.max(0, gain), isAtOnce);
  }

  /** Sets pan and equaliser. The first use of the equaliser allocates its buffers. */
  setTone({ pan, low, mid, high }: StemTone, isAtOnce: boolean): void {
    this.#panLeft.set(panGain(pan), isAtOnce);
    this.#panRight.set(panGain(-pan), isAtOnce);
    const isFlat = low === 1 && mid === 1 && high === 1;
    if (!isFlat)
      this.#bands ??= {
        cache: new BandCache(this.#source, this.#sampleRateHz),
        samples: createBandSamples(SLICE),
      };
    const isDry = this.#wet.isSettled && this.#wet.target === 0;
    this.#low.set(Math.max(0, low), isAtOnce || isDry);
    this.#mid.set(Math.max(0, mid), isAtOnce || isDry);
    this.#high.set(Math.max(0, high), isAtOnce || isDry);
    this.#wet.set(isFlat ? 0 : 1, isAtOnce);
  }

  /** Whether such a setting switches a gain instead of moving it. */
  isLeap(gain: number, tone: StemTone | undefined): boolean {
    if (leaps(this.#fader, gain)) return true;
    if (!tone) return false;
    return (
      leaps(this.#panLeft, panGain(tone.pan)) ||
      leaps(this.#panRight, panGain(-tone.pan)) ||
      leaps(this.#low, tone.low) ||
      leaps(this.#mid, tone.mid) ||
      leaps(this.#high, tone.high)
    );
  }

  /** Advances the gains by `frames` output samples. */
  advance(frames: number): void {
    this.#fader.advance(frames);
    this.#panLeft.advance(frames);
    this.#panRight.advance(frames);
    this.#low.advance(frames);
    this.#mid.advance(frames);
    this.#high.advance(frames);
    this.#wet.advance(frames);
  }

  /** Forgets what follows from frames `from` to `to` (excluded) of the source, which have changed. */
  discard(from: number, to: number): void {
    this.#bands?.cache.discard(from, to);
  }

  /**
   * Adds frames `from` to `from + frames` to `left` and `right` from `at` on. Frame `from + n` becomes audible
   * `time + n · samplesPerFrame` output samples from now.
   */
  addTo(
    left: Float32Array,
    right: Float32Array,
    at: number,
    from: number,
    frames: number,
    time: number,
    samplesPerFrame: number,
  ): void {
    if (this.isSilent) return;
    // Under key lock all frames of a read are audible at one time.
    if (samplesPerFrame === 0 || this.#isSettled) {
      this.#addSteady(left, right, at, from, frames, time);
      return;
    }
    for (let done = 0; done < frames; done += SLICE) {
      const count = Math.min(SLICE, frames - done);
      const sliceTime = time + done * samplesPerFrame;
      this.#renderSlice(from + done, count, sliceTime, samplesPerFrame);
      for (let n = 0; n < count; n++) {
        const t = sliceTime + n * samplesPerFrame;
        const gain = this.#fader.at(t);
        left[at + done + n]! += this.#left[n]! * gain * this.#panLeft.at(t);
        right[at + done + n]! += this.#right[n]! * gain * this.#panRight.at(t);
      }
    }
  }

  get #isSettled(): boolean {
    return (
      this.#fader.isSettled &&
      this.#panLeft.isSettled &&
      this.#panRight.isSettled &&
      this.#low.isSettled &&
      this.#mid.isSettled &&
      this.#high.isSettled &&
      this.#wet.isSettled
    );
  }

  /** Adds frames with the gains at one time. */
  #addSteady(
    left: Float32Array,
    right: Float32Array,
    at: number,
    from: number,
    frames: number,
    time: number,
  ): void {
    const gain = this.#fader.at(time);
    const wet = this.#bands ? this.#wet.at(time) : 0;
    const leftGain = gain * this.#panLeft.at(time);
    const rightGain = gain * this.#panRight.at(time);
    const dry = 1 - wet;
    if (dry > 0) this.#source.addTo(left, right, at, from, frames, dry * leftGain, dry * rightGain);
    if (!this.#bands || wet === 0) return;
    const low = wet * this.#low.at(time);
    const mid = wet * this.#mid.at(time);
    const high = wet * this.#high.at(time);
    this.#bands.cache.addTo(left, right, at, from, frames, low, mid, high, leftGain, rightGain);
  }

  /** Renders a slice before pan and fader. */
  #renderSlice(from: number, count: number, time: number, samplesPerFrame: number): void {
    const wet = this.#wet;
    this.#left.fill(0, 0, count);
    this.#right.fill(0, 0, count);
    if (!wet.isSettled || wet.target === 0) this.#source.addTo(this.#left, this.#right, 0, from, count, 1, 1);
    if (!this.#bands || (wet.isSettled && wet.target === 0)) return;
    const { cache, samples } = this.#bands;
    cache.read(from, count, samples);
    const [lowLeft, lowRight, midLeft, midRight, highLeft, highRight] = samples;
    for (let n = 0; n < count; n++) {
      const t = time + n * samplesPerFrame;
      const low = this.#low.at(t);
      const mid = this.#mid.at(t);
      const high = this.#high.at(t);
      const mix = wet.at(t);
      const dry = 1 - mix;
      const equalisedLeft = lowLeft[n]! * low + midLeft[n]! * mid + highLeft[n]! * high;
      const equalisedRight = lowRight[n]! * low + midRight[n]! * mid + highRight[n]! * high;
      this.#left[n] = dry * this.#left[n]! + mix * equalisedLeft;
      this.#right[n] = dry * this.#right[n]! + mix * equalisedRight;
    }
  }
}

function leaps(ramp: GainRamp, gain: number): boolean {
  return Math.abs(gain - ramp.target) >= LEAP;
}
