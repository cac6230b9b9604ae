import { BLOCK_FRAMES } from '../playback/source-playback.ts';
import { DelayLine } from './delay-line.ts';
import { type EffectKernel, type EffectTiming, MAX_TIME_SECONDS } from './effect-kernel.ts';
import { FadingTap } from './fading-tap.ts';
import { SmoothedValue } from './smoothed-value.ts';

/** Below this a sample in the loop is silence. */
const SILENCE = 1e-15;

/**
 * Repeats: `in → + → line → out`, and `line → low cut → high cut → feedback → +`. With ping-pong the feedback crosses
 * sides, and the input enters on the left. Feedback and filters have a gain below 1, so the loop is stable.
 *
 * Times are whole samples; another time is reached without a change of pitch.
 */
export class EchoKernel implements EffectKernel {
  readonly #hasPingPong: boolean;
  readonly #sampleRateHz: number;
  readonly #line: DelayLine;
  readonly #feedback = new SmoothedValue(0);
  readonly #pingPong = new SmoothedValue(0);
  readonly #low = new SmoothedValue(0);
  readonly #high = new SmoothedValue(1);
  /** Low cut and high cut of both sides. */
  readonly #state = new Float64Array(4);
  readonly #tap: FadingTap;

  /** @param hasPingPong whether the second parameter is ping-pong, as in the delay */
  constructor(sampleRateHz: number, hasPingPong: boolean) {
    this.#sampleRateHz = sampleRateHz;
    this.#hasPingPong = hasPingPong;
    this.#line = new DelayLine(MAX_TIME_SECONDS, sampleRateHz);
    this.#tap = new FadingTap(sampleRateHz);
  }

  get tailFrames(): number {
    return this.#tap.longest * (this.#hasPingPong ? 2 : 1) + BLOCK_FRAMES;
  }

  set(values: readonly number[]): void {
    const [feedback = 0, ...rest] = values;
    const [pingPong = 0] = this.#hasPingPong ? rest.splice(0, 1) : [];
    const [lowCutHz = 20, highCutHz = 20_000] = rest;
    this.#feedback.aim(feedback);
    this.#pingPong.aim(pingPong);
    this.#low.aim(this.#coefficient(lowCutHz));
    this.#high.aim(highCutHz >= 19_999 ? 1 : this.#coefficient(highCutHz));
  }

  reset(): void {
    this.#line.clear();
    this.#state.fill(0);
    this.#tap.reset();
    this.#feedback.jump();
    this.#pingPong.jump();
    this.#low.jump();
    this.#high.jump();
  }

  begin(): void {}

  process(left: Float32Array, right: Float32Array, frames: number, timing: EffectTiming): void {
    this.#tap.read(this.#line, Math.min(this.#line.capacity, timing.frames), 0, frames);
    const { left: tapLeft, right: tapRight } = this.#tap;
    this.#feedback.begin(frames);
    this.#pingPong.begin(frames);
    this.#low.begin(frames);
    this.#high.begin(frames);
    let feedback = this.#feedback.value;
    let cross = this.#pingPong.value;
    const low = this.#low.value;
    const high = this.#high.value;
    let lowLeft = this.#state[0]!;
    let lowRight = this.#state[1]!;
    let highLeft = this.#state[2]!;
    let highRight = this.#state[3]!;
    for (let n = 0; n < frames; n++) {
      const l = tapLeft[n]!;
      const r = tapRight[n]!;
      lowLeft += low * (l - lowLeft);
      lowRight += low * (r - lowRight);
      highLeft += high * (l - lowLeft - highLeft);
      highRight += high * (r - lowRight - highRight);
      const straight = 1 - cross;
      const intoLeft =
        left[n]! * straight +
        0.5 * cross * (left[n]! + right[n]!) +
        feedback * (highLeft * straight + highRight * cross);
      const intoRight = right[n]! * straight + feedback * (highRight * straight + highLeft * cross);
      left[n] = Math.abs(intoLeft) < SILENCE ? 0 : intoLeft;
      right[n] = Math.abs(intoRight) < SILENCE ? 0 : intoRight;
      feedback += this.#feedback.step;
      cross += this.#pingPong.step;
    }
    this.#state[0] = Math.abs(lowLeft) < SILENCE ? 0 : lowLeft;
    this.#state[1] = Math.abs(lowRight) < SILENCE ? 0 : lowRight;
    this.#state[2] = Math.abs(highLeft) < SILENCE ? 0 : highLeft;
    this.#state[3] = Math.abs(highRight) < SILENCE ? 0 : highRight;
    this.#line.write(left, right, frames);
    for (let n = 0; n < frames; n++) {
      left[n] = tapLeft[n]!;
      right[n] = tapRight[n]!;
    }
  }

  #coefficient(hz: number): number {
    return 1 - Math.exp((-2 * Math.PI * hz) / this.#sampleRateHz);
  }
}
