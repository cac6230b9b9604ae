import { fadeInGain } from '../gain/fade-curve.ts';
import { DelayLine } from './delay-line.ts';
import { type EffectKernel, type EffectTiming, MAX_TIME_SECONDS } from './effect-kernel.ts';
import { SmoothedValue } from './smoothed-value.ts';

/** Crossfade at the end of a slice. */
const FADE_SECONDS = 0.005;
/** Longest distance between two positions at which a slice may begin, in beats. */
const START_BEATS = 1 / 4;
/** Below this the low cut is off, in Hz. */
const OFF_HZ = 20.5;
/** Position of a head that passes the input. */
const LIVE = -1;

/**
 * Roll: lets the input pass for the length of a slice and repeats it from then on. With a grid the slice begins on the
 * next quarter of a beat. The length can be changed while it repeats: a shorter one ends at its next multiple.
 *
 * At the end of a slice the audio that follows it is faded out and its beginning is faded in; otherwise the repeats are
 * the samples of the slice.
 */
export class RollKernel implements EffectKernel {
  /** It repeats until it is turned off. */
  readonly tailFrames = Number.POSITIVE_INFINITY;
  readonly #sampleRateHz: number;
  /** Input from the beginning of the slice on. */
  readonly #left: Float32Array;
  readonly #right: Float32Array;
  readonly #fadeFrames: number;
  readonly #low = new SmoothedValue(0);
  readonly #lowMix = new SmoothedValue(0);
  readonly #lowState = new Float64Array(2);
  #division = 1;
  /** Samples until the slice begins; below 0 when it is to be computed. */
  #wait = -1;
  #recorded = 0;
  #isRecording = false;
  /** Position in the slice, or {@link LIVE}. */
  #head = LIVE;
  #oldHead = LIVE;
  /** Samples since the crossfade from the old head began. */
  #faded: number;

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
    const { left, right } = new DelayLine(MAX_TIME_SECONDS, sampleRateHz);
    this.#left = left;
    this.#right = right;
    this.#fadeFrames = Math.round(FADE_SECONDS * sampleRateHz);
    this.#faded = this.#fadeFrames;
  }

  set(values: readonly number[]): void {
    const [division = 0, lowCutHz = 20] = values;
    this.#division = 2 ** division;
    this.#low.aim(1 - Math.exp((-2 * Math.PI * lowCutHz) / this.#sampleRateHz));
    this.#lowMix.aim(lowCutHz < OFF_HZ ? 0 : 1);
  }

  reset(): void {
    this.#head = LIVE;
    this.#faded = this.#fadeFrames;
    this.#lowState.fill(0);
    this.#low.jump();
    this.#lowMix.jump();
    this.begin();
  }

  begin(): void {
    this.#wait = -1;
    this.#isRecording = false;
    if (this.#head !== LIVE) this.#jump(LIVE);
  }

  process(left: Float32Array, right: Float32Array, frames: number, timing: EffectTiming): void {
    const length = Math.max(this.#fadeFrames * 2, Math.round(timing.frames / this.#division));
    if (!this.#isRecording && this.#wait < 0) this.#wait = framesUntilStart(timing);
    for (let n = 0; n < frames; n++) {
      if (!this.#isRecording) {
        if (this.#wait > 0) this.#wait--;
        else {
          this.#isRecording = true;
          this.#recorded = 0;
          this.#head = 0;
        }
      }
      if (this.#isRecording && this.#recorded < this.#left.length) {
        this.#left[this.#recorded] = left[n]!;
        this.#right[this.#recorded] = right[n]!;
        this.#recorded++;
      }
      // Only a slice that was passed once is repeated.
      if (this.#head > 0 && this.#head % length === 0) this.#jump(0);
      this.#render(left, right, n);
    }
    this.#cutLows(left, right, frames);
  }

  #render(left: Float32Array, right: Float32Array, n: number): void {
    const head = this.#head;
    let l = head < 0 ? left[n]! : this.#left[head]!;
    let r = head < 0 ? right[n]! : this.#right[head]!;
    if (this.#faded < this.#fadeFrames) {
      const old = this.#oldHead;
      const gain = fadeInGain(this.#faded / this.#fadeFrames);
      const oldLeft = old < 0 ? left[n]! : this.#left[old]!;
      const oldRight = old < 0 ? right[n]! : this.#right[old]!;
      l = oldLeft + gain * (l - oldLeft);
      r = oldRight + gain * (r - oldRight);
      this.#faded++;
      if (old >= 0) this.#oldHead = Math.min(old + 1, this.#left.length - 1);
    }
    if (head >= 0) this.#head = Math.min(head + 1, this.#left.length - 1);
    left[n] = l;
    right[n] = r;
  }

  #jump(head: number): void {
    this.#oldHead = this.#head;
    this.#head = head;
    this.#faded = 0;
  }

  #cutLows(left: Float32Array, right: Float32Array, frames: number): void {
    this.#low.begin(frames);
    this.#lowMix.begin(frames);
    let mix = this.#lowMix.value;
    if (mix === 0 && this.#lowMix.isSettled) {
      this.#lowState.fill(0);
      return;
    }
    const low = this.#low.value;
    let l = this.#lowState[0]!;
    let r = this.#lowState[1]!;
    for (let n = 0; n < frames; n++) {
      l += low * (left[n]! - l);
      r += low * (right[n]! - r);
      left[n]! -= mix * l;
      right[n]! -= mix * r;
      mix += this.#lowMix.step;
    }
    this.#lowState[0] = Math.abs(l) < 1e-15 ? 0 : l;
    this.#lowState[1] = Math.abs(r) < 1e-15 ? 0 : r;
  }
}

/** Returns the samples until a slice begins: at the next part of a beat, at once for a time in ms. */
function framesUntilStart({ beat, beatsPerFrame, beats }: EffectTiming): number {
  if (beatsPerFrame === 0) return 0;
  const grid = Math.min(beats, START_BEATS);
  // A beat that has begun within the last sample counts.
  const next = Math.ceil(beat / grid - beatsPerFrame / grid) * grid;
  return Math.max(0, Math.round((next - beat) / beatsPerFrame));
}
