import { CHUNK_FRAMES } from '@stem-studio/renderer/sources/chunk';
import type { Scope } from '../base/scope.ts';
import type { StemFile } from '../player/stem-file.ts';

/**
 * Blocks that are kept, a second and a half each: more than six stems show at once on a wide screen before they show peaks.
 * Fewer would be read again for each frame.
 */
const KEPT_BLOCKS = 96;
/** Pause before a block that could not be read is asked for again, in ms. */
const RETRY_MS = 3000;

interface KnownBlock {
  /** Both sides mixed, 1 is full scale; null while they are read. */
  samples: Float32Array | null;
  /** Number of the last use. */
  use: number;
}

/** Samples of the stems for waveforms that show single samples. A block is read when it is first asked for. */
export class SampleBlocks {
  /** Number of blocks that have arrived. */
  version = 0;
  readonly #files: readonly StemFile[];
  readonly #scope: Scope;
  /** By source and index. */
  readonly #blocks = new Map<number, KnownBlock>();
  #uses = 0;

  constructor(files: readonly StemFile[], scope: Scope) {
    this.#files = files;
    this.#scope = scope;
  }

  /** Returns a block of `CHUNK_FRAMES` samples, fewer at the end; null while it is read. */
  block(source: number, index: number): Float32Array | null {
    const file = this.#files[source];
    const from = index * CHUNK_FRAMES;
    if (!file || index < 0 || from >= file.frames) return null;
    const key = index * this.#files.length + source;
    let known = this.#blocks.get(key);
    if (!known) {
      known = { samples: null, use: 0 };
      this.#blocks.set(key, known);
      void this.#read(file, from, key, known);
    }
    known.use = this.#uses++;
    return known.samples;
  }

  async #read(file: StemFile, from: number, key: number, block: KnownBlock): Promise<void> {
    try {
      const end = Math.min(file.frames, from + CHUNK_FRAMES);
      const samples = await file.read(from, end, this.#scope.signal);
      const scale = (samples instanceof Int16Array ? 1 / 32_768 : 1) / file.channels;
      const mixed = new Float32Array(end - from);
      for (let n = 0; n < mixed.length; n++) {
        for (let channel = 0; channel < file.channels; channel++)
          mixed[n]! += (samples[n * file.channels + channel] ?? 0) * scale;
      }
      block.samples = mixed;
      this.version++;
      this.#dropOldest();
    } catch {
      // The waveform shows peaks meanwhile. Playback reports what is wrong.
      if (!this.#scope.isDisposed) this.#scope.after(RETRY_MS, () => void this.#blocks.delete(key));
    }
  }

  /** Drops the blocks that were not asked for the longest. */
  #dropOldest(): void {
    while (this.#blocks.size > KEPT_BLOCKS) {
      let oldest = -1;
      let use = Number.POSITIVE_INFINITY;
      for (const [key, block] of this.#blocks) {
        if (block.samples === null || block.use >= use) continue;
        oldest = key;
        use = block.use;
      }
      if (oldest < 0) return;
      this.#blocks.delete(oldest);
    }
  }
}
