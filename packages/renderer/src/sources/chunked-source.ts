import { CHUNK_FRAMES, CHUNK_SHIFT, type ChunkSamples, chunkCount, type StemShape } from './chunk.ts';

const CHUNK_MASK = CHUNK_FRAMES - 1;

/** Samples of a stem or song, as far as they have arrived. Nothing is allocated while they are read. */
export class ChunkedSource {
  left = 0;
  right = 0;
  readonly frames: number;
  readonly #channels: number;
  readonly #chunks: (ChunkSamples | null)[];
  readonly #scales: Float64Array;

  constructor({ frames, channels }: StemShape) {
    this.frames = frames;
    this.#channels = channels;
    this.#chunks = Array.from({ length: chunkCount(frames) }, () => null);
    this.#scales = new Float64Array(this.#chunks.length);
  }

  /** Stores chunk `index`; an index outside the source is ignored. */
  store(index: number, samples: ChunkSamples): void {
    if (index < 0 || index >= this.#chunks.length) return;
    this.#chunks[index] = samples;
    this.#scales[index] = samples instanceof Int16Array ? 1 / 32_768 : 1;
  }

  /** Drops chunk `index`. */
  drop(index: number): void {
    if (index >= 0 && index < this.#chunks.length) this.#chunks[index] = null;
  }

  /** Whether frames `from` to `to` (excluded) are loaded; frames beyond the end count as loaded. */
  isLoaded(from: number, to: number): boolean {
    const last = Math.min(to, this.frames) - 1;
    if (last < from) return true;
    for (let chunk = Math.max(0, from) >> CHUNK_SHIFT; chunk <= last >> CHUNK_SHIFT; chunk++) {
      if (!this.#chunks[chunk]) return false;
    }
    return true;
  }

  /** Reads whole frame `frame`; silence before the start, after the end and where nothing has arrived. */
  readWhole(frame: number): void {
    const samples = this.#chunks[frame >> CHUNK_SHIFT];
    if (!samples || frame < 0 || frame >= this.frames) {
      this.left = 0;
      this.right = 0;
      return;
    }
    const scale = this.#scales[frame >> CHUNK_SHIFT] ?? 0;
    const at = (frame & CHUNK_MASK) * this.#channels;
    this.left = (samples[at] ?? 0) * scale;
    this.right = this.#channels === 1 ? this.left : (samples[at + 1] ?? 0) * scale;
  }

  /**
   * Adds frames `from` to `from + frames` to `left` and `right` from `at` on; silence before the start, after the end
   * and in missing chunks.
   *
   * @param gain linear
   */
  addTo(
    left: Float32Array,
    right: Float32Array,
    at: number,
    from: number,
    frames: number,
    gain: number,
  ): void {
    const end = Math.min(from + frames, this.frames);
    for (let start = Math.max(0, from); start < end; ) {
      const index = start >> CHUNK_SHIFT;
      const stop = Math.min(end, (index + 1) << CHUNK_SHIFT);
      const samples = this.#chunks[index];
      if (samples) {
        const scale = this.#scales[index] ?? 0;
        const level = gain * scale;
        const second = this.#channels - 1;
        let out = at + start - from;
        let place = (start & CHUNK_MASK) * this.#channels;
        for (let frame = start; frame < stop; frame++) {
          left[out]! += samples[place]! * level;
          right[out]! += samples[place + second]! * level;
          place += this.#channels;
          out++;
        }
      }
      start = stop;
    }
  }

  /**
   * Reads between frames, for outputs that run at another rate: third-order Hermite over four frames.
   *
   * @see L. de Soras, "The Quest for the Perfect Resampler", 4-point Hermite
   */
  readBetween(position: number): void {
    const frame = Math.floor(position);
    const t = position - frame;
    this.readWhole(frame - 1);
    const l0 = this.left;
    const r0 = this.right;
    this.readWhole(frame);
    const l1 = this.left;
    const r1 = this.right;
    this.readWhole(frame + 1);
    const l2 = this.left;
    const r2 = this.right;
    this.readWhole(frame + 2);
    this.left = hermite(l0, l1, l2, this.left, t);
    this.right = hermite(r0, r1, r2, this.right, t);
  }
}

function hermite(before: number, from: number, to: number, after: number, t: number): number {
  const slope = (to - before) / 2;
  const fall = from - to;
  const w = slope + fall;
  const cubic = w + fall + (after - from) / 2;
  return ((cubic * t - (w + cubic)) * t + slope) * t + from;
}
