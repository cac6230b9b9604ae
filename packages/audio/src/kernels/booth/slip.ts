/** Nearer than this a deck is where it would be, in sample frames. */
const SAME_FRAMES = 2;

/** Where a deck would be without its loops, jumps and hand. Allocates nothing. */
export class Slip {
  isOn = false;
  /** The place, in sample frames of the song. */
  frame = 0;

  /** Begins to run beside a deck at `frame`. */
  start(frame: number): void {
    this.isOn = true;
    this.frame = frame;
  }

  /** Lets so many frames of the song pass, to its end at most. */
  pass(frames: number, end: number): void {
    if (this.isOn) this.frame = Math.min(end, this.frame + frames);
  }

  /** Whether a deck at `frame` is somewhere else. */
  isApart(frame: number): boolean {
    return Math.abs(frame - this.frame) > SAME_FRAMES;
  }
}
