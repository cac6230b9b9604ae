import type { FrameLoop } from '../dj-engine/dj-engine-messages.ts';
import { LoopPath } from '../playback/loop-path.ts';
import type { StemTone } from '../stem-mixer/stem-mixer-messages.ts';
import { CHUNK_FRAMES, type ChunkSamples } from './chunk.ts';
import { ChunkedSource } from './chunked-source.ts';
import { SourceStrip } from './source-strip.ts';

/** Frames that are mixed at once. */
const SLICE = 1024;
/** Shortest loop in frames: a shorter one would be perceived as a tone. */
export const SHORTEST_LOOP_FRAMES = 64;

/** Format of a group of sources. */
export interface SourceGroupShape {
  sampleRateHz: number;
  frames: number;
  /** `frames` is the length of a source that is shorter than the song. */
  sources: readonly { channels: number; frames?: number }[];
}

/** A source with its strip and its loop. */
interface Part {
  readonly source: ChunkedSource;
  readonly strip: SourceStrip;
  readonly path: LoopPath;
}

/**
 * Sources of a deck or stem mixer: a song, or its stems in sample synchrony, summed at their strips.
 *
 * All are read at the same frame. A source with its own loop repeats from the loop's end on: its position follows from
 * the common one, so that it is in sync again when the loop ends. Allocates nothing in use.
 */
export class SourceGroup {
  readonly sampleRateHz: number;
  readonly frames: number;
  /** Peak sample of each source after its fader since it was last set to 0. */
  readonly peaks: Float32Array;
  readonly #parts: readonly Part[];
  readonly #left = new Float32Array(SLICE);
  readonly #right = new Float32Array(SLICE);
  /** The round of a source's loop that fades out. */
  readonly #fadingLeft = new Float32Array(SLICE);
  readonly #fadingRight = new Float32Array(SLICE);
  #now = 0;
  #samplesPerFrame = 0;
  #ahead = 0;

  /**
   * @param rampFrames output samples in which a fader reaches its value
   * @param seamFrames frames of the crossfade between two rounds of a loop
   */
  constructor({ sampleRateHz, frames, sources }: SourceGroupShape, rampFrames: number, seamFrames: number) {
    this.sampleRateHz = sampleRateHz;
    this.frames = frames;
    this.peaks = new Float32Array(sources.length);
    this.#parts = sources.map(({ channels, frames: length = frames }) => {
      const path = new LoopPath();
      path.seamFrames = seamFrames;
      const source = new ChunkedSource({ frames: length, channels });
      return { source, strip: new SourceStrip(source, sampleRateHz, rampFrames), path };
    });
  }

  /** Stores a chunk of a source; see {@link ChunkedSource.store}. */
  store(source: number, index: number, samples: ChunkSamples): void {
    const part = this.#parts[source];
    part?.source.store(index, samples);
    part?.strip.discard(index * CHUNK_FRAMES, (index + 1) * CHUNK_FRAMES);
  }

  /** Drops a chunk. */
  drop(source: number, index: number): void {
    this.#parts[source]?.source.drop(index);
  }

  /** Sets the faders, linear, and where given pan and equaliser; at once with `isAtOnce`, where nothing is audible. */
  setGains(gains: readonly number[], isAtOnce: boolean, tones: readonly StemTone[] = []): void {
    for (const [index, { strip }] of this.#parts.entries()) {
      strip.setFader(gains[index] ?? 1, isAtOnce);
      const tone = tones[index];
      if (tone) strip.setTone(tone, isAtOnce);
    }
  }

  /** Whether such gains are a switch rather than a move of a fader or knob. */
  isLeap(gains: readonly number[], tones: readonly StemTone[] = []): boolean {
    return this.#parts.some(({ strip }, index) => strip.isLeap(gains[index] ?? 1, tones[index]));
  }

  /** Sets or clears the loop of a source. */
  setLoop(source: number, loop: FrameLoop | null): void {
    const path = this.#parts[source]?.path;
    const end = Math.min(loop?.endFrame ?? 0, this.frames);
    const start = Math.max(0, loop?.startFrame ?? 0);
    path?.set(start, end - start >= SHORTEST_LOOP_FRAMES ? end : start);
  }

  /**
   * Sets the time at which read frames become audible, for the faders: frame `now` of the song is `ahead` output
   * samples from now, and each frame after it `samplesPerFrame` samples later; with a samplesPerFrame of 0 all of them are.
   */
  aim(now: number, samplesPerFrame: number, ahead: number): void {
    this.#now = now;
    this.#samplesPerFrame = samplesPerFrame;
    this.#ahead = ahead;
  }

  /** Advances the faders by `frames` output samples. */
  advance(frames: number): void {
    for (let index = 0; index < this.#parts.length; index++) this.#parts[index]!.strip.advance(frames);
  }

  /** Whether all sources have frames `from` to `to` (excluded) of the song. */
  isLoaded(from: number, to: number): boolean {
    for (let index = 0; index < this.#parts.length; index++) {
      const { source, path } = this.#parts[index]!;
      if (!path.isLoaded(from, to, source)) return false;
    }
    return true;
  }

  /** Writes the sum of frames `from` to `from + frames` from `at` on. */
  read(from: number, left: Float32Array, right: Float32Array, at: number, frames: number): void {
    left.fill(0, at, at + frames);
    right.fill(0, at, at + frames);
    for (let index = 0; index < this.#parts.length; index++) {
      const part = this.#parts[index]!;
      if (part.strip.isSilent) continue;
      const time = this.#ahead + (from - this.#now) * this.#samplesPerFrame;
      if (part.path.isOn) this.#addRounds(part, from, left, right, at, frames);
      else part.strip.addTo(left, right, at, from, frames, time, this.#samplesPerFrame);
    }
  }

  /**
   * Adds frames `from` to `from + frames` as they were recorded, without loops, faders and tone, to `left` and `right`
   * from `at` on: those of one source, or of all that are not muted where `source` is null.
   */
  copy(
    source: number | null,
    from: number,
    left: Float32Array,
    right: Float32Array,
    at: number,
    frames: number,
  ): void {
    for (let index = 0; index < this.#parts.length; index++) {
      const part = this.#parts[index]!;
      const isWanted = source === null ? !part.strip.isSilent : source === index;
      if (isWanted) part.source.addTo(left, right, at, from, frames, 1, 1);
    }
  }

  /** Updates {@link peaks} with frames `from` to `from + frames`. */
  measure(from: number, frames: number): void {
    const count = Math.min(SLICE, frames);
    for (let index = 0; index < this.#parts.length; index++) {
      const part = this.#parts[index]!;
      if (part.strip.isSilent) continue;
      this.#render(part, from, count, 0, 0);
      let peak = this.peaks[index]!;
      for (let n = 0; n < count; n++) {
        peak = Math.max(peak, Math.abs(this.#left[n]!), Math.abs(this.#right[n]!));
      }
      this.peaks[index] = peak;
    }
  }

  #addRounds(
    part: Part,
    from: number,
    left: Float32Array,
    right: Float32Array,
    at: number,
    frames: number,
  ): void {
    for (let done = 0; done < frames; done += SLICE) {
      const count = Math.min(SLICE, frames - done);
      const time = this.#ahead + (from + done - this.#now) * this.#samplesPerFrame;
      this.#render(part, from + done, count, time, this.#samplesPerFrame);
      for (let n = 0; n < count; n++) {
        left[at + done + n]! += this.#left[n]!;
        right[at + done + n]! += this.#right[n]!;
      }
    }
  }

  /** Renders a source along its loop, after its fader, into the scratch buffer; `from` is audible at `time`. */
  #render({ strip, path }: Part, from: number, frames: number, time: number, samplesPerFrame: number): void {
    this.#left.fill(0, 0, frames);
    this.#right.fill(0, 0, frames);
    for (let done = 0; done < frames; ) {
      const frame = from + done;
      path.find(frame);
      const isSeam = frame < path.seamEnd;
      const stop = Math.min(frames, (isSeam ? Math.ceil(path.seamEnd) : path.until) - from);
      const count = stop - done;
      const at = time + done * samplesPerFrame;
      strip.addTo(this.#left, this.#right, done, frame - path.offset, count, at, samplesPerFrame);
      if (isSeam) {
        this.#fadingLeft.fill(0, 0, count);
        this.#fadingRight.fill(0, 0, count);
        const fading = frame - path.before;
        strip.addTo(this.#fadingLeft, this.#fadingRight, 0, fading, count, at, samplesPerFrame);
        path.crossfade(frame, this.#left, this.#right, done, this.#fadingLeft, this.#fadingRight, count);
      }
      done = stop;
    }
  }
}
