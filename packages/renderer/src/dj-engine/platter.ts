/** Time constant that smooths jitter of manual control. */
const MANUAL_SMOOTHING_SECONDS = 0.008;
/** Time in which a released platter reaches the motor's speed. */
const MOTOR_SECONDS = 0.04;
/** Difference from the motor's speed at which a released platter locks to it. */
const NEAR = 0.01;
/** Fastest scratch, as a factor of the recorded speed. */
const MAX_RATE = 8;
/** Below this speed the output fades, so that a held record is silent. */
const QUIET_RATE = 0.05;

/**
 * Platter of a turntable: its inertia makes its speed follow manual control and motor with a delay. Allocates
 * nothing.
 */
export class Platter {
  /** Speed as a factor of the recorded one, negative backwards. */
  rate = 0;
  readonly #sampleRateHz: number;
  #heldRate: number | null = null;
  #isManual = false;
  /** Speed at which the stop began, and its progress from 0 to 1. */
  #stopFrom = 0;
  #stopProgress = 1;
  /** Part of the stop per output sample; 0 while none is in progress. */
  #stopStep = 0;

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
  }

  /** Whether it is held, or was released and has not reached the motor's speed. */
  get isManual(): boolean {
    return this.#isManual;
  }

  /** Whether it is held. */
  get isHeld(): boolean {
    return this.#heldRate !== null;
  }

  /** Gain at the present speed. */
  get gain(): number {
    return this.#isManual ? Math.min(1, Math.abs(this.rate) / QUIET_RATE) : 1;
  }

  /** Turns it at `rate`; null releases it. */
  hold(rate: number | null): void {
    this.#stopStep = 0;
    this.#heldRate = rate === null ? null : Math.min(MAX_RATE, Math.max(-MAX_RATE, rate));
    if (rate !== null) this.#isManual = true;
  }

  /**
   * Takes it to `from` as fast as a DJ does and slows it down from there to a stop, in a straight line. It stays stopped
   * until it is released.
   *
   * @param seconds time until it stops, at least 0.05
   */
  stopIn(from: number, seconds: number): void {
    this.hold(from);
    this.#stopFrom = this.#heldRate ?? 0;
    this.#stopProgress = 0;
    this.#stopStep = 1 / (Math.max(0.05, seconds) * this.#sampleRateHz);
  }

  /** Releases it and sets it to the motor's speed at once. */
  release(): void {
    this.#stopStep = 0;
    this.#heldRate = null;
    this.#isManual = false;
  }

  /** Stops it at the end of the song. */
  stop(): void {
    this.rate = 0;
  }

  /** Advances by `frames` output samples; `motor` is the speed of the motor, 0 where it is off. */
  move(frames: number, motor: number): void {
    if (!this.#isManual) {
      this.rate = motor;
      return;
    }
    if (this.#stopStep > 0) {
      this.#stopProgress = Math.min(1, this.#stopProgress + frames * this.#stopStep);
      this.#heldRate = this.#stopFrom * (1 - this.#stopProgress);
    }
    const goal = this.#heldRate ?? motor;
    const seconds = this.#heldRate === null ? MOTOR_SECONDS : MANUAL_SMOOTHING_SECONDS;
    this.rate += (goal - this.rate) * (1 - Math.exp(-frames / (seconds * this.#sampleRateHz)));
    if (this.#heldRate === null && Math.abs(goal - this.rate) < NEAR) this.release();
  }
}
