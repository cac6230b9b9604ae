import type { StereoReader } from '@stem-studio/dsp/signal/stereo-reader';
import type { SourceGroup } from '../sources/source-group.ts';
import { LoopPath } from './loop-path.ts';

/**
 * Reads a group of sources along its unrolled loop: `sources → rounds, crossfaded → line`. Varispeed and key lock
 * read the line, independently of loops. Allocates nothing in `read`.
 */
export class LoopReader implements StereoReader {
  readonly path = new LoopPath();
  #sources: SourceGroup | null = null;
  #left = new Float32Array(0);
  #right = new Float32Array(0);
  #now = 0;
  #samplesPerFrame = 0;
  #ahead = 0;

  /** Sets the sources. */
  setSources(sources: SourceGroup | null, seamFrames: number): void {
    this.#sources = sources;
    this.path.seamFrames = seamFrames;
    if (this.#left.length <= seamFrames) {
      this.#left = new Float32Array(seamFrames + 1);
      this.#right = new Float32Array(seamFrames + 1);
    }
  }

  /** Sets the time at which frames of the line become audible; see {@link SourceGroup.aim}. */
  aim(now: number, samplesPerFrame: number, ahead: number): void {
    this.#now = now;
    this.#samplesPerFrame = samplesPerFrame;
    this.#ahead = ahead;
  }

  /** See {@link StereoReader}. */
  read(from: number, left: Float32Array, right: Float32Array, frames: number): void {
    const sources = this.#sources;
    if (!sources) {
      left.fill(0, 0, frames);
      right.fill(0, 0, frames);
      return;
    }
    const { path } = this;
    for (let done = 0; done < frames; ) {
      const frame = from + done;
      path.find(frame);
      const isSeam = frame < path.seamEnd;
      const stop = Math.min(frames, (isSeam ? Math.ceil(path.seamEnd) : path.until) - from);
      const count = stop - done;
      this.#readRound(sources, frame, path.offset, left, right, done, count);
      if (isSeam) this.#blend(sources, frame, left, right, done, count);
      done = stop;
    }
  }

  #readRound(
    sources: SourceGroup,
    frame: number,
    offset: number,
    left: Float32Array,
    right: Float32Array,
    at: number,
    count: number,
  ): void {
    sources.aim(this.#now - offset, this.#samplesPerFrame, this.#ahead);
    sources.read(frame - offset, left, right, at, count);
  }

  /** Crossfades from the previous round. */
  #blend(
    sources: SourceGroup,
    frame: number,
    left: Float32Array,
    right: Float32Array,
    at: number,
    count: number,
  ): void {
    const { path } = this;
    this.#readRound(sources, frame, path.before, this.#left, this.#right, 0, count);
    path.crossfade(frame, left, right, at, this.#left, this.#right, count);
  }
}
