import type { Clock } from './clock.ts';

/** How much may be used: `burst` at once, and `perSecond` in the long run. */
export interface TokenRate {
  readonly burst: number;
  readonly perSecond: number;
}

/** A token bucket: full at first, filled again at a steady rate. */
export class TokenBucket {
  readonly #rate: TokenRate;
  readonly #clock: Clock;
  #tokens: number;
  #filledMs: number;

  constructor(rate: TokenRate, clock: Clock) {
    this.#rate = rate;
    this.#clock = clock;
    this.#tokens = rate.burst;
    this.#filledMs = clock.monotonicMs();
  }

  /** Takes a token; false where none is left. */
  take(): boolean {
    this.#fill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Puts a token back that was taken. */
  giveBack(): void {
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + 1);
  }

  /** Whether nothing has been taken lately. */
  get isFull(): boolean {
    this.#fill();
    return this.#tokens >= this.#rate.burst;
  }

  /** Seconds until a token is there, at least 1. */
  get secondsLeft(): number {
    this.#fill();
    return Math.max(1, Math.ceil((1 - this.#tokens) / this.#rate.perSecond));
  }

  #fill(): void {
    const nowMs = this.#clock.monotonicMs();
    const { burst, perSecond } = this.#rate;
    this.#tokens = Math.min(burst, this.#tokens + ((nowMs - this.#filledMs) / 1000) * perSecond);
    this.#filledMs = nowMs;
  }
}
