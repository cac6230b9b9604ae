import { Glide } from '../signal/glide.ts';

/** Corner frequencies of the low-pass with the knob at −1 and just left of the centre. */
export const KNOB_LOWPASS_HZ = [80, 18_000] as const;
/** Corner frequencies of the high-pass just right of the centre and with the knob at +1. */
export const KNOB_HIGHPASS_HZ = [20, 9_000] as const;

/** The filter is off within this distance of the centre. */
const OFF = 0.01;
/** Damping of both stages; together they have a resonance of about 2 dB at the corner. */
const DAMPINGS = [1 / 0.541, 1 / 1.8] as const;
const SWEEP_SECONDS = 0.03;
const MIX_SECONDS = 0.015;

/**
 * Filters audio by one knob: low-pass to the left, high-pass to the right, off in the centre.
 *
 * Off passes the audio unchanged, sample for sample. The slope is 24 dB an octave with a modest resonance at the
 * corner.
 *
 * `in → two state variable filters → mixed with in (0 in the middle of the knob) → out`
 *
 * The corner glides in octaves and the filters can be retuned at every sample, so that a sweep has no steps; a knob
 * that jumps over the centre passes through it. Allocates nothing.
 *
 * @see V. Zavalishin, "The art of VA filter design", 2012 (trapezoidal state variable filter)
 */
export class KnobFilter {
  readonly #sampleRateHz: number;
  readonly #state = new Float64Array(8);
  readonly #octave: Glide;
  readonly #mix: Glide;
  #position = 0;
  #isHighpass = false;
  #g = 0;

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
    this.#octave = new Glide(0, SWEEP_SECONDS, sampleRateHz);
    this.#mix = new Glide(0, MIX_SECONDS, sampleRateHz);
  }

  /** Sets the knob: −1 low-pass, 0 off, 1 high-pass; values beyond are clamped. */
  set(position: number): void {
    this.#position = Math.min(1, Math.max(-1, position));
  }

  /** Filters `frames` samples in place. */
  process(left: Float32Array, right: Float32Array, frames: number): void {
    this.#aim();
    if (this.#mix.isThere && this.#mix.value === 0) return;
    for (let n = 0; n < frames; n++) {
      if (!this.#octave.isThere) this.#tune(this.#octave.next());
      const mix = this.#mix.next();
      left[n] = this.#filter(left[n]!, 0, mix);
      right[n] = this.#filter(right[n]!, 4, mix);
    }
    for (let at = 0; at < 8; at++) if (Math.abs(this.#state[at]!) < 1e-30) this.#state[at] = 0;
  }

  /** Clears the state and takes on the position of the knob at once. */
  reset(): void {
    this.#mix.aim(0);
    this.#mix.jump();
    this.#aim();
    this.#mix.jump();
  }

  #aim(): void {
    const isOn = Math.abs(this.#position) >= OFF;
    const isHighpass = this.#position > 0;
    if (this.#mix.value === 0 && isOn) {
      // When the filter comes on, it starts at the corner itself without a glide.
      this.#isHighpass = isHighpass;
      this.#state.fill(0);
      this.#octave.aim(this.#corner());
      this.#octave.jump();
      this.#tune(this.#octave.value);
    }
    const isOtherWay = isHighpass !== this.#isHighpass;
    this.#mix.aim(isOn && !isOtherWay ? 1 : 0);
    if (isOn && !isOtherWay) this.#octave.aim(this.#corner());
  }

  /** Returns the binary logarithm of the corner in Hz. */
  #corner(): number {
    const turned = Math.abs(this.#position);
    const [low, high] = this.#isHighpass ? KNOB_HIGHPASS_HZ : KNOB_LOWPASS_HZ;
    const [from, to] = this.#isHighpass ? [low, high] : [high, low];
    return Math.log2(from) + turned * Math.log2(to / from);
  }

  #tune(octave: number): void {
    const hz = Math.min(2 ** octave, 0.45 * this.#sampleRateHz);
    this.#g = Math.tan((Math.PI * hz) / this.#sampleRateHz);
  }

  #filter(input: number, from: number, mix: number): number {
    const g = this.#g;
    const state = this.#state;
    let sample = input;
    for (let stage = 0; stage < 2; stage++) {
      const at = from + 2 * stage;
      const damping = DAMPINGS[stage]!;
      const first = state[at]!;
      const second = state[at + 1]!;
      const high = (sample - (g + damping) * first - second) / (1 + g * (g + damping));
      const band = first + g * high;
      const low = second + g * band;
      state[at] = band + g * high;
      state[at + 1] = low + g * band;
      sample = this.#isHighpass ? high : low;
    }
    return input + (sample - input) * mix;
  }
}
