import type { FrameLoop } from './dj-engine-messages.ts';

/** Nearer than this a deck is where it would be, in sample frames. */
const SAME_FRAMES = 2;

/** Where a deck would be without its loops, jumps and hand. Allocates nothing. */
export class Slip {
  isOn = false;
  /** The place, in sample frames of the song. */
  frame = 0;
  /** Where it began. */
  #from = 0;

  /** Begins to run beside a deck at `frame`. */
  start(frame: number): void {
    this.isOn = true;
    this.frame = frame;
    this.#from = frame;
  }

  /** Goes to the beginning: another song is there. */
  rewind(): void {
    this.frame = 0;
    this.#from = 0;
  }

  /** Takes other frames for the same places: `ratio` of them for each. */
  scale(ratio: number): void {
    this.frame *= ratio;
    this.#from *= ratio;
  }

  /** The place by the rounds of a loop that goes on when it slips no more, and that it would have come into. */
  positionIn(loop: FrameLoop | null): number {
    if (!loop || this.#from >= loop.endFrame || this.frame < loop.endFrame) return this.frame;
    return loop.startFrame + ((this.frame - loop.startFrame) % (loop.endFrame - loop.startFrame));
  }

  /** Lets so many frames of the song pass, to its end at most. */
  advance(frames: number, end: number): void {
    if (this.isOn) this.frame = Math.min(end, this.frame + frames);
  }

  /** Whether two places are not the same. */
  static differs(one: number, other: number): boolean {
    return Math.abs(one - other) > SAME_FRAMES;
  }
}
