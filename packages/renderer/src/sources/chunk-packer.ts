import { downmixToStereo } from '@stem-studio/dsp/format/downmix';
import { createQuantizer } from '@stem-studio/dsp/format/quantizer';
import { CHUNK_FRAMES } from './chunk.ts';

const quantize = createQuantizer(16);

/**
 * Packs the blocks of a decoder into interleaved 16-bit chunks; more than two audio channels are mixed down to stereo.
 */
export class ChunkPacker {
  /** 1 or 2. */
  readonly channels: number;
  /** Index of the chunk that is being filled. */
  index: number;
  readonly #keeps: (index: number) => boolean;
  #chunk: Int16Array<ArrayBuffer> | null = null;
  #filled = 0;

  /**
   * @param first index of the first chunk
   * @param keeps called at the start of each chunk: one that is not kept is counted and discarded
   */
  constructor(channels: number, first: number, keeps: (index: number) => boolean) {
    this.channels = Math.min(2, channels);
    this.index = first;
    this.#keeps = keeps;
    this.#begin();
  }

  /** Adds a block and yields the chunks that it completes; `samples` is null for one that is not kept. */
  *add(block: Float32Array[]): Generator<{ index: number; samples: Int16Array<ArrayBuffer> | null }> {
    const blockChannels = block.length > 2 ? downmixToStereo(block) : block;
    const frames = blockChannels[0]?.length ?? 0;
    for (let from = 0; from < frames; ) {
      const count = Math.min(frames - from, CHUNK_FRAMES - this.#filled);
      this.#write(blockChannels, from, count);
      from += count;
      this.#filled += count;
      if (this.#filled === CHUNK_FRAMES) yield this.#complete();
    }
  }

  /** Returns the chunk that is being filled, with silence to its end. */
  finish(): { index: number; samples: Int16Array<ArrayBuffer> | null } {
    return this.#complete();
  }

  #write(blockChannels: readonly Float32Array[], from: number, count: number): void {
    const chunk = this.#chunk;
    if (!chunk) return;
    for (const [channel, samples] of blockChannels.entries()) {
      let at = this.#filled * this.channels + channel;
      for (let i = from; i < from + count; i++, at += this.channels) chunk[at] = quantize(samples[i] ?? 0);
    }
  }

  #complete() {
    const complete = { index: this.index, samples: this.#chunk };
    this.index++;
    this.#begin();
    return complete;
  }

  #begin(): void {
    this.#filled = 0;
    this.#chunk = this.#keeps(this.index) ? new Int16Array(CHUNK_FRAMES * this.channels) : null;
  }
}
