import type { FrameLoop } from './dj-engine-messages.ts';

/** Positions no further apart than this are equal, in sample frames. */
const SAME_FRAMES = 2;

/** Position of a deck without its loops, jumps and scratching. Allocates nothing. */
export class Slip {
  isOn = false;
  /** Position in sample frames of the song. */
  frame = 0;
  /** Position at the start. */
  #from = 0;

  /** Starts at the position of the deck. */
  start(frame: number): void {
    this.isOn = true;
    this.frame = frame;
    this.#from = frame;
  }

  /** Moves to the beginning: another song is loaded. */
  rewind(): void {
    this.frame = 0;
    this.#from = 0;
  }

  /** Converts to another sample rate; `ratio` is new over old. */
  scale(ratio: number): void {
    this.frame *= ratio;
    this.#from *= ratio;
  }

  /** Returns the position within a loop that outlasts slip, wrapped where the deck would have entered it. */
  positionIn(loop: FrameLoop | null): number {
    if (!loop || this.#from >= loop.endFrame || this.frame < loop.endFrame) return this.frame;
    return loop.startFrame + ((this.frame - loop.startFrame) % (loop.endFrame - loop.startFrame));
  }

  /** Advances by frames of the song, up to its end. */
  advance(frames: number, end: number): void {
    if (this.isOn) this.frame = Math.min(end, this.frame + frames);
  }

  /** Whether two positions differ. */
  static differs(one: number, other: number): boolean {
    return Math.abs(one - other) > SAME_FRAMES;
  }
}
