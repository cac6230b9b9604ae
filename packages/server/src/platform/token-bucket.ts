import type { Clock } from './clock.ts';

/** Rate of a token bucket: `burst` tokens at once, and `perSecond` in the long run. */
export interface TokenRate {
  readonly burst: number;
  readonly perSecond: number;
}

/** Token bucket that is full initially and refilled at a constant rate. */
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

  /** Takes a token. Returns false if none is left. */
  take(): boolean {
    this.#fill();
    if (this.#tokens < 1) return false;
    this.#tokens -= 1;
    return true;
  }

  /** Returns a taken token. */
  giveBack(): void {
    this.#tokens = Math.min(this.#rate.burst, this.#tokens + 1);
  }

  /** Whether the bucket is full. */
  get isFull(): boolean {
    this.#fill();
    return this.#tokens >= this.#rate.burst;
  }

  /** Seconds until a token is available, at least 1. */
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
