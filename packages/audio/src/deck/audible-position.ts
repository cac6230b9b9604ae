import type { DeckReport } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import { type LoopRegion, type PositionReport, positionAt } from '../clock/playback-clock.ts';

/** Where a deck that sounds is heard, from what the booth reports. Asked with every picture, so it makes nothing new. */
export class AudiblePosition {
  readonly #report: PositionReport = { positionSeconds: 0, timeSeconds: 0, isMoving: false, rate: 1 };
  #durationSeconds = 0;
  #loop: LoopRegion | null = null;
  /** What is heard is a little behind what is scheduled: after a jump that is no place before it. */
  #earliestSeconds = Number.NEGATIVE_INFINITY;

  /** Begins a song of that length at a place. */
  begin(seconds: number, durationSeconds: number): void {
    this.#durationSeconds = durationSeconds;
    this.#report.isMoving = false;
    this.#report.positionSeconds = seconds;
    this.#earliestSeconds = seconds;
  }

  /** The active loop, round which the place goes. */
  setLoop(loop: LoopRegion | null): void {
    this.#loop = loop;
  }

  /** Takes a report of the engine. */
  receive({ frame, rate, transport }: DeckReport, sampleRateHz: number, timeSeconds: number): void {
    this.#report.positionSeconds = frame / sampleRateHz;
    this.#report.timeSeconds = timeSeconds;
    this.#report.rate = rate;
    // A deck that stands may be turned by hand.
    this.#report.isMoving = transport === 'playing' || (transport === 'paused' && rate !== 0);
    if (!this.#report.isMoving) this.#earliestSeconds = this.#report.positionSeconds;
    else if (rate < 0 || this.#loop) this.#earliestSeconds = Number.NEGATIVE_INFINITY;
  }

  /** Is at a place that was just jumped to, until the booth says where it really is: near it, to keep the phase. */
  jump(seconds: number, nowSeconds: number, isNear: boolean): void {
    this.#earliestSeconds = isNear ? Number.NEGATIVE_INFINITY : seconds;
    this.#report.positionSeconds = seconds;
    this.#report.timeSeconds = nowSeconds;
  }

  /** Stands where it is heard now, until the booth says where it really stands. */
  stand(nowSeconds: number): void {
    this.#report.positionSeconds = this.secondsAt(nowSeconds);
    this.#report.isMoving = false;
  }

  /** Where it is heard, in seconds of the song. */
  secondsAt(nowSeconds: number): number {
    const seconds = positionAt(this.#report, nowSeconds, this.#durationSeconds, this.#loop);
    return Math.max(this.#earliestSeconds, seconds);
  }
}
