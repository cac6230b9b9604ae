import type { DeckReport } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import { type LoopRegion, type PositionReport, positionAt } from '../clock/playback-clock.ts';

/**
 * Audible position of a deck, extrapolated from the engine's reports. Read in every animation frame, so it allocates
 * nothing.
 */
export class AudiblePosition {
  readonly #report: PositionReport = { positionSeconds: 0, timeSeconds: 0, isMoving: false, rate: 1 };
  #durationSeconds = 0;
  #loop: LoopRegion | null = null;
  /** The audible position lags behind the rendered one: after a jump it must not show positions before the target. */
  #earliestSeconds = Number.NEGATIVE_INFINITY;

  /** Starts a song of that duration at a position. */
  begin(seconds: number, durationSeconds: number): void {
    this.#durationSeconds = durationSeconds;
    this.#report.isMoving = false;
    this.#report.positionSeconds = seconds;
    this.#earliestSeconds = seconds;
  }

  /** Sets the active loop, with which the position wraps. */
  setLoop(loop: LoopRegion | null): void {
    this.#loop = loop;
  }

  /** Updates the position from a report of the engine. */
  receive({ frame, rate, transport }: DeckReport, sampleRateHz: number, timeSeconds: number): void {
    this.#report.positionSeconds = frame / sampleRateHz;
    this.#report.timeSeconds = timeSeconds;
    this.#report.rate = rate;
    // A paused deck may be moved manually.
    this.#report.isMoving = transport === 'playing' || (transport === 'paused' && rate !== 0);
    if (!this.#report.isMoving) this.#earliestSeconds = this.#report.positionSeconds;
    else if (rate < 0 || this.#loop) this.#earliestSeconds = Number.NEGATIVE_INFINITY;
  }

  /**
   * Assumes the target of a jump until the engine reports the real position; with `isNear` the deck may land beside it,
   * to keep the phase.
   */
  jump(seconds: number, nowSeconds: number, isNear: boolean): void {
    this.#earliestSeconds = isNear ? Number.NEGATIVE_INFINITY : seconds;
    this.#report.positionSeconds = seconds;
    this.#report.timeSeconds = nowSeconds;
  }

  /** Keeps the audible position until the engine reports the real one. */
  stand(nowSeconds: number): void {
    this.#report.positionSeconds = this.secondsAt(nowSeconds);
    this.#report.isMoving = false;
  }

  /** Returns the audible position in seconds of the song. */
  secondsAt(nowSeconds: number): number {
    const seconds = positionAt(this.#report, nowSeconds, this.#durationSeconds, this.#loop);
    return Math.max(this.#earliestSeconds, seconds);
  }
}
