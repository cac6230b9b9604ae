import { fadeInGain } from '../gain/fade-curve.ts';

/**
 * Unrolls a loop to a line of whole frames, round after round. A position on the line minus `shift` is the position in
 * the song, in the present round.
 *
 * A loop may begin and end between two frames. Each round begins on the whole frame nearest to its exact position,
 * which is computed from the line, so that rounds differ by a frame now and then and never drift.
 */
export class LoopPath {
  /** Start and end of the loop in the song, in sample frames; `isOn` only where the end is after the start. */
  start = 0;
  end = 0;
  isOn = false;
  /** Difference between line and song in the present round. */
  shift = 0;
  /** Whether the loop has wrapped already: then the audio before its start is that of the previous round. */
  hasWrapped = false;
  /** Frames of the crossfade between two rounds, at the beginning of the later one. */
  seamFrames = 0;

  /** Results of {@link find}: the difference between line and song … */
  offset = 0;
  /** … the frame up to which it holds, excluded; … */
  until = 0;
  /** … start and end of the crossfade from the previous round, the end at −∞ where there is none; … */
  seamStart = 0;
  seamEnd = Number.NEGATIVE_INFINITY;
  /** … and the difference in the previous round. */
  before = 0;

  /** Length of the loop in frames. */
  get length(): number {
    return this.end - this.start;
  }

  /** Sets the loop; none where `end` is not above `start`. */
  set(start: number, end: number): void {
    this.start = start;
    this.end = end;
    this.isOn = end > start;
    this.hasWrapped = false;
  }

  /** Clears all rounds: the line is the song. */
  reset(): void {
    this.shift = 0;
    this.hasWrapped = false;
  }

  /** Whether a store has the audio of frames `from` to `to` (excluded) of the line. */
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

  /** Finds the frame of the song at whole frame `frame` of the line, and how far that holds. */
  find(frame: number): void {
    const { start, end, length } = this;
    this.seamEnd = Number.NEGATIVE_INFINITY;
    if (!this.isOn) {
      this.offset = Math.round(this.shift);
      this.until = Number.POSITIVE_INFINITY;
      return;
    }
    const position = frame - this.shift;
    const isAround = position >= end || (this.hasWrapped && position < start);
    const round = isAround ? Math.floor((position - start) / length) : 0;
    const shift = this.shift + round * length;
    this.offset = Math.round(shift);
    this.until = Math.max(frame + 1, Math.ceil(end + shift));
    if (round <= 0 && !this.hasWrapped) return;
    this.before = Math.round(shift - length);
    this.seamStart = start + shift;
    this.seamEnd = this.seamStart + Math.min(this.seamFrames, length / 2);
  }
}
