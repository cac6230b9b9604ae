import type { StereoReader } from '@stem-studio/dsp/signal/stereo-reader';
import { KeyLock } from '@stem-studio/dsp/stretch/key-lock';
import type { ChunkedSource } from '../sources/chunked-source.ts';
import { type ArrangedWarp, segmentAt, segmentRate, sourceFrameAt } from './warp-map.ts';

/** Frames that a stretcher renders at once, whatever is asked for: its samples do not depend on that. */
const BLOCK = 128;

/** Reads a source forwards or backwards. */
class SourceReader implements StereoReader {
  source: ChunkedSource | null = null;
  mirrorFrames: number | null = null;

  read(from: number, left: Float32Array, right: Float32Array, frames: number): void {
    left.fill(0, 0, frames);
    right.fill(0, 0, frames);
    if (this.mirrorFrames === null) {
      this.source?.addTo(left, right, 0, from, frames, 1, 1);
      return;
    }
    this.source?.addTo(left, right, 0, this.mirrorFrames - from - frames, frames, 1, 1);
    reverse(left, frames);
    reverse(right, frames);
  }
}

function reverse(samples: Float32Array, frames: number): void {
  for (let first = 0, last = frames - 1; first < last; first++, last--) {
    const sample = samples[first]!;
    samples[first] = samples[last]!;
    samples[last] = sample;
  }
}

/** Plays one warp on from wherever it is asked for; the last two blocks can be read again. */
class ClipStretcher {
  /** Number of the last use. */
  usedAt = 0;
  readonly #lock: KeyLock;
  readonly #reader = new SourceReader();
  readonly #left = new Float32Array(2 * BLOCK);
  readonly #right = new Float32Array(2 * BLOCK);
  readonly #blockLeft = new Float32Array(BLOCK);
  readonly #blockRight = new Float32Array(BLOCK);
  #warp: ArrangedWarp | null = null;
  /** Time of the warp of the first frame in the buffer, and of the first one after it. */
  #from = 0;
  #end = 0;

  constructor(sampleRateHz: number) {
    this.#lock = new KeyLock(sampleRateHz);
  }

  /** Returns whether it can continue with a part of a warp. */
  canContinue({ key }: ArrangedWarp, frame: number): boolean {
    return this.#warp?.key === key && frame >= this.#from && frame <= this.#end;
  }

  /** Restarts at a time of a warp. */
  start(source: ChunkedSource, warp: ArrangedWarp, frame: number): void {
    this.#warp = warp;
    this.#reader.source = source;
    this.#reader.mirrorFrames = warp.mirrorFrames;
    this.#from = frame;
    this.#end = frame;
    this.#lock.reset(sourceFrameAt(warp, frame));
  }

  /** Ends it; nothing continues it. */
  end(): void {
    this.#warp = null;
    this.#reader.source = null;
  }

  /** Copies at most {@link BLOCK} frames. */
  read(frame: number, frames: number, left: Float32Array, right: Float32Array): void {
    if (frame + frames > this.#end) this.#renderBlock();
    const at = frame - this.#from;
    for (let n = 0; n < frames; n++) {
      left[n] = this.#left[at + n]!;
      right[n] = this.#right[at + n]!;
    }
  }

  /** Renders the next block behind the last one. */
  #renderBlock(): void {
    const held = this.#end - this.#from;
    const dropped = Math.max(0, held - BLOCK);
    this.#left.copyWithin(0, dropped, held);
    this.#right.copyWithin(0, dropped, held);
    this.#from += dropped;
    const begin = held - dropped;
    for (let done = 0; done < BLOCK; ) done += this.#renderSegment(begin + done, BLOCK - done);
  }

  /** Renders up to the next change of tempo, into the buffer from `at` on; returns the number of frames. */
  #renderSegment(at: number, most: number): number {
    const warp = this.#warp!;
    const segment = segmentAt(warp, this.#end);
    const next = warp.at[segment] ?? Number.POSITIVE_INFINITY;
    const frames = Math.min(most, next - this.#end);
    const rate = segmentRate(warp, segment);
    const [left, right] = [this.#blockLeft, this.#blockRight];
    if (warp.semitones === 0 && warp.at.length === 0) this.#reader.read(this.#end, left, right, frames);
    else this.#lock.process(this.#reader, rate, warp.semitones, left, right, frames);
    for (let n = 0; n < frames; n++) {
      this.#left[at + n] = left[n]!;
      this.#right[at + n] = right[n]!;
    }
    this.#end += frames;
    return frames;
  }
}

/**
 * Renders clips at another tempo or pitch, or backwards. Each stretcher plays on where the last block ended; a clip that is
 * rendered for both sides of a crossfade at the same position is rendered once.
 */
export class ClipStretchers {
  readonly #sampleRateHz: number;
  #stretchers: ClipStretcher[] = [];
  #uses = 0;

  constructor(sampleRateHz: number) {
    this.#sampleRateHz = sampleRateHz;
  }

  /** Has at least that many stretchers from now on. Creating one takes longer than a block lasts. */
  reserve(count: number): void {
    while (this.#stretchers.length < count) this.#stretchers.push(new ClipStretcher(this.#sampleRateHz));
  }

  /** Forgets what was played: the sources have changed. */
  reset(): void {
    for (const stretcher of this.#stretchers) stretcher.end();
  }

  /**
   * Fills `left` and `right` with a part of a warp.
   *
   * @param frame time of the warp
   * @param frames at most 128
   */
  read(
    source: ChunkedSource,
    warp: ArrangedWarp,
    frame: number,
    frames: number,
    left: Float32Array,
    right: Float32Array,
  ): void {
    const stretcher = this.#continuing(warp, frame) ?? this.#started(source, warp, frame);
    stretcher.usedAt = ++this.#uses;
    stretcher.read(frame, frames, left, right);
  }

  #continuing(warp: ArrangedWarp, frame: number): ClipStretcher | null {
    for (const stretcher of this.#stretchers) if (stretcher.canContinue(warp, frame)) return stretcher;
    return null;
  }

  #started(source: ChunkedSource, warp: ArrangedWarp, frame: number): ClipStretcher {
    this.reserve(1);
    let oldest = this.#stretchers[0]!;
    for (const stretcher of this.#stretchers) if (stretcher.usedAt < oldest.usedAt) oldest = stretcher;
    oldest.start(source, warp, frame);
    return oldest;
  }
}
