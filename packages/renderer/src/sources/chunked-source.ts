import { CHUNK_FRAMES, CHUNK_SHIFT, type ChunkSamples, chunkCount, type StemShape } from './chunk.ts';

const CHUNK_MASK = CHUNK_FRAMES - 1;

/** Samples of a stem or song, as far as they have arrived. Nothing is allocated while they are read. */
export class ChunkedSource {
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

  /**
   * Adds frames `from` to `from + frames` to `left` and `right` from `at` on; silence before the start, after the end
   * and in missing chunks.
   *
   * @param leftGain linear
   */
  addTo(
    left: Float32Array,
    right: Float32Array,
    at: number,
    from: number,
    frames: number,
    leftGain: number,
    rightGain: number,
  ): void {
    const end = Math.min(from + frames, this.frames);
    for (let start = Math.max(0, from); start < end; ) {
      const index = start >> CHUNK_SHIFT;
      const stop = Math.min(end, (index + 1) << CHUNK_SHIFT);
      const samples = this.#chunks[index];
      if (samples) {
        const scale = this.#scales[index] ?? 0;
        const leftLevel = leftGain * scale;
        const rightLevel = rightGain * scale;
        const second = this.#channels - 1;
        let out = at + start - from;
        let sample = (start & CHUNK_MASK) * this.#channels;
        for (let frame = start; frame < stop; frame++) {
          left[out]! += samples[sample]! * leftLevel;
          right[out]! += samples[sample + second]! * rightLevel;
          sample += this.#channels;
          out++;
        }
      }
      start = stop;
    }
  }
}
