import { CHUNK_FRAMES } from '@stem-studio/renderer/sources/chunk';
import type { Scope } from '../base/scope.ts';
import type { StemFile } from '../player/stem-file.ts';

/** Blocks that are kept: a second and a half each, for every stem around what is shown. */
const KEPT_BLOCKS = 24;
/** Pause before a block that could not be read is asked for again, in ms. */
const RETRY_MS = 3000;

/** Samples of the stems for waveforms that show single samples. A block is read when it is first asked for. */
export class SampleBlocks {
  /** Number of blocks that have arrived. */
  version = 0;
  readonly #files: readonly StemFile[];
  readonly #scope: Scope;
  /** Samples of both sides mixed, 1 is full scale, by source and index; null while they are read. The oldest use is first. */
  readonly #blocks = new Map<string, Float32Array | null>();

  constructor(files: readonly StemFile[], scope: Scope) {
    this.#files = files;
    this.#scope = scope;
  }

  /** Returns a block of `CHUNK_FRAMES` samples, fewer at the end; null while it is read. */
  block(source: number, index: number): Float32Array | null {
    const file = this.#files[source];
    const from = index * CHUNK_FRAMES;
    if (!file || index < 0 || from >= file.frames) return null;
    const key = `${source} ${index}`;
    const known = this.#blocks.get(key);
    if (known !== undefined) {
      this.#blocks.delete(key);
      this.#blocks.set(key, known);
      return known;
    }
    this.#blocks.set(key, null);
    void this.#read(file, from, key);
    return null;
  }

  async #read(file: StemFile, from: number, key: string): Promise<void> {
    try {
      const end = Math.min(file.frames, from + CHUNK_FRAMES);
      const samples = await file.read(from, end, this.#scope.signal);
      const scale = (samples instanceof Int16Array ? 1 / 32_768 : 1) / file.channels;
      const mixed = new Float32Array(end - from);
      for (let n = 0; n < mixed.length; n++) {
        for (let channel = 0; channel < file.channels; channel++)
          mixed[n]! += (samples[n * file.channels + channel] ?? 0) * scale;
      }
      this.#blocks.set(key, mixed);
      this.version++;
      for (const oldest of this.#blocks.keys()) {
        if (this.#blocks.size <= KEPT_BLOCKS) return;
        this.#blocks.delete(oldest);
      }
    } catch {
      // The waveform shows peaks meanwhile. Playback reports what is wrong.
      if (!this.#scope.isDisposed) this.#scope.after(RETRY_MS, () => void this.#blocks.delete(key));
    }
  }
}
