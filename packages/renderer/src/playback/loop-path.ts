import { fadeInGain } from '../gain/fade-curve.ts';

/**
 * Which frames of a song follow each other where a loop is played on and on: the loop laid out along a line of whole
 * frames, round behind round. A place on the line less `shift` is the place in the song of the round that sounds.
 *
 * A loop may begin and end between two frames. Each round begins on the whole frame nearest to its true place, which is
 * reckoned anew from the line, so that rounds differ by one frame now and then and never drift.
 */
export class LoopPath {
  /** Where the loop begins and ends in the song, in sample frames; `isOn` only where it ends after it begins. */
  start = 0;
  end = 0;
  isOn = false;
  /** What to take from a place on the line for the place in the song, in the round that sounds. */
  shift = 0;
  /** Whether the loop was gone round already: then what lies before its start is the round before. */
  hasWrapped = false;
  /** Frames over which two rounds are crossfaded, at the beginning of the later one. */
  seamFrames = 0;

  /** Answers of {@link find}: what to take from a frame of the line for its frame in the song … */
  offset = 0;
  /** … how far that holds, excluded; … */
  until = 0;
  /** … where the crossfade from the round before begins and ends, the end before everything where there is none … */
  seamStart = 0;
  seamEnd = Number.NEGATIVE_INFINITY;
  /** … and the offset of that round. */
  before = 0;

  /** Length of the loop in frames. */
  get length(): number {
    return this.end - this.start;
  }

  /** Takes a loop or, with `end` not above `start`, none. */
  set(start: number, end: number): void {
    this.start = start;
    this.end = end;
    this.isOn = end > start;
    this.hasWrapped = false;
  }

  /** Forgets all rounds: the line is the song. */
  reset(): void {
    this.shift = 0;
    this.hasWrapped = false;
  }

  /** Whether a store has what lies at frames `from` to `to` (excluded) of the line. */
  isLoaded(from: number, to: number, store: { isLoaded(from: number, to: number): boolean }): boolean {
    for (let at = from; at < to; ) {
      this.find(at);
      const stop = Math.min(to, this.until);
      if (!store.isLoaded(at - this.offset, stop - this.offset)) return false;
      at = stop;
    }
    return true;
  }

  /**
   * Crossfades two rounds at a loop boundary, after {@link find} of `frame` has found one: `left` and `right` hold the
   * round that fades in from `at` on and get the result, `fadingLeft` and `fadingRight` the round that fades out from 0 on.
   */
  crossfade(
    frame: number,
    left: Float32Array,
    right: Float32Array,
    at: number,
    fadingLeft: Float32Array,
    fadingRight: Float32Array,
    frames: number,
  ): void {
    const length = this.seamEnd - this.seamStart;
    for (let n = 0; n < frames; n++) {
      const gain = fadeInGain((frame + n - this.seamStart) / length);
      left[at + n] = gain * left[at + n]! + (1 - gain) * fadingLeft[n]!;
      right[at + n] = gain * right[at + n]! + (1 - gain) * fadingRight[n]!;
    }
  }

  /** Says which frame of the song whole frame `frame` of the line is, and for how long it goes on so. */
  find(frame: number): void {
    const { start, end, length } = this;
    this.seamEnd = Number.NEGATIVE_INFINITY;
    if (!this.isOn) {
      this.offset = Math.round(this.shift);
      this.until = Number.POSITIVE_INFINITY;
      return;
    }
    const place = frame - this.shift;
    const isAround = place >= end || (this.hasWrapped && place < start);
    const round = isAround ? Math.floor((place - start) / length) : 0;
    const shift = this.shift + round * length;
    this.offset = Math.round(shift);
    this.until = Math.max(frame + 1, Math.ceil(end + shift));
    if (round <= 0 && !this.hasWrapped) return;
    this.before = Math.round(shift - length);
    this.seamStart = start + shift;
    this.seamEnd = this.seamStart + Math.min(this.seamFrames, length / 2);
  }
}
