/** The hand's own jitter is smoothed over so many seconds. */
const HAND_SECONDS = 0.008;
/** A platter that is let go of comes to the motor's pace in about so many seconds. */
const MOTOR_SECONDS = 0.04;
/** Nearer to the motor's pace the platter is taken by it. */
const NEAR = 0.01;
/** The fastest hand, in multiples of the recorded pace. */
const MOST_RATE = 8;
/** Slower than this it gets quieter, so that a record that is held is silent. */
const QUIET_RATE = 0.05;

/** A record under a hand: it has a mass, so that its pace follows the hand and the motor a little later. Allocates nothing. */
export class Platter {
  /** Its pace in multiples of the recorded one, negative backwards. */
  rate = 0;
  readonly #sampleRateHz: number;
  #hand: number | null = null;
  #isTurning = false;

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
  }

  /** Whether it has not the motor's pace: held, or let go of a moment ago. */
  get isTurning(): boolean {
    return this.#isTurning;
  }

  /** Whether a hand is on it. */
  get isHeld(): boolean {
    return this.#hand !== null;
  }

  /** How loud it is at its pace. */
  get loudness(): number {
    return this.#isTurning ? Math.min(1, Math.abs(this.rate) / QUIET_RATE) : 1;
  }

  /** A hand turns it at `rate`, or lets go with null. */
  hold(rate: number | null): void {
    this.#hand = rate === null ? null : Math.min(MOST_RATE, Math.max(-MOST_RATE, rate));
    if (rate !== null) this.#isTurning = true;
  }

  /** The hand is gone and the platter has the motor's pace at once. */
  free(): void {
    this.#hand = null;
    this.#isTurning = false;
  }

  /** It cannot turn further. */
  stop(): void {
    this.rate = 0;
  }

  /** Moves on by `frames` samples of output, `motor` being the pace of the deck without a hand, 0 where it stands. */
  move(frames: number, motor: number): void {
    if (!this.#isTurning) {
      this.rate = motor;
      return;
    }
    const goal = this.#hand ?? motor;
    const seconds = this.#hand === null ? MOTOR_SECONDS : HAND_SECONDS;
    this.rate += (goal - this.rate) * (1 - Math.exp(-frames / (seconds * this.#sampleRateHz)));
    if (this.#hand === null && Math.abs(goal - this.rate) < NEAR) this.free();
  }
}
