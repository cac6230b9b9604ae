/** The hand's own jitter is smoothed over so many seconds. */
const HAND_SMOOTHING_SECONDS = 0.008;
/** A platter that is let go of comes to the motor's pace in about so many seconds. */
const MOTOR_SECONDS = 0.04;
/** Nearer to the motor's pace the platter is taken by it. */
const NEAR = 0.01;
/** The fastest hand, in multiples of the recorded pace. */
const MAX_RATE = 8;
/** Slower than this it gets quieter, so that a record that is clamped is silent. */
const QUIET_RATE = 0.05;

/** A record under a hand: it has a mass, so that its pace follows the hand and the motor a little later. Allocates nothing. */
export class Platter {
  /** Its pace in multiples of the recorded one, negative backwards. */
  rate = 0;
  readonly #sampleRateHz: number;
  #handRate: number | null = null;
  #isManual = false;

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
  }

  /** Whether it has not the motor's pace: clamped, or let go of a moment ago. */
  get isManual(): boolean {
    return this.#isManual;
  }

  /** Whether a hand is on it. */
  get isHeld(): boolean {
    return this.#handRate !== null;
  }

  /** How loud it is at its pace. */
  get gain(): number {
    return this.#isManual ? Math.min(1, Math.abs(this.rate) / QUIET_RATE) : 1;
  }

  /** A hand turns it at `rate`, or lets go with null. */
  hold(rate: number | null): void {
    this.#handRate = rate === null ? null : Math.min(MAX_RATE, Math.max(-MAX_RATE, rate));
    if (rate !== null) this.#isManual = true;
  }

  /** The hand is gone and the platter has the motor's pace at once. */
  release(): void {
    this.#handRate = null;
    this.#isManual = false;
  }

  /** It cannot turn further. */
  stop(): void {
    this.rate = 0;
  }

  /** Moves on by `frames` samples of output, `motor` being the pace of the deck without a hand, 0 where it stands. */
  move(frames: number, motor: number): void {
    if (!this.#isManual) {
      this.rate = motor;
      return;
    }
    const goal = this.#handRate ?? motor;
    const seconds = this.#handRate === null ? MOTOR_SECONDS : HAND_SMOOTHING_SECONDS;
    this.rate += (goal - this.rate) * (1 - Math.exp(-frames / (seconds * this.#sampleRateHz)));
    if (this.#handRate === null && Math.abs(goal - this.rate) < NEAR) this.release();
  }
}
