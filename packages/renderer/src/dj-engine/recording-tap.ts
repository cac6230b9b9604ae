/** Samples per chunk: left and right of 0.37 s at 44.1 kHz. */
const CHUNK_SAMPLES = 32_768;
/** Chunks that are allocated in advance. */
const SPARE_CHUNKS = 4;

/** A chunk of recorded samples. */
export interface RecordedChunk {
  samples: Float32Array<ArrayBuffer>;
  isLast: boolean;
}

/**
 * Collects the master output in interleaved chunks. Returned chunks are filled again; only where none was returned in
 * time a new one is allocated, so that nothing is lost.
 */
export class RecordingTap {
  /** Receives the chunks. */
  onChunk: (chunk: RecordedChunk) => void = () => {};
  readonly #spare: Float32Array<ArrayBuffer>[] = [];
  #chunk: Float32Array<ArrayBuffer> | null = null;
  #filled = 0;

  /** Starts a recording, unless one is running. */
  start(): void {
    while (this.#spare.length < SPARE_CHUNKS) this.#spare.push(new Float32Array(CHUNK_SAMPLES));
    this.#chunk ??= this.#nextChunk();
  }

  /** Ends the recording with a last, shorter chunk. */
  stop(): void {
    const chunk = this.#chunk;
    if (!chunk) return;
    this.#chunk = null;
    this.onChunk({ samples: chunk.slice(0, this.#filled), isLast: true });
    this.#filled = 0;
    this.#spare.push(chunk);
  }

  /** Returns a chunk for reuse. */
  recycle(samples: Float32Array<ArrayBuffer>): void {
    if (samples.length === CHUNK_SAMPLES && this.#spare.length < SPARE_CHUNKS) this.#spare.push(samples);
  }

  /** Records `frames` samples while a recording is running. */
  process(left: Float32Array, right: Float32Array, frames: number): void {
    if (!this.#chunk) return;
    for (let n = 0; n < frames; n++) {
      this.#chunk[this.#filled] = left[n]!;
      this.#chunk[this.#filled + 1] = right[n]!;
      this.#filled += 2;
      if (this.#filled < CHUNK_SAMPLES) continue;
      this.onChunk({ samples: this.#chunk, isLast: false });
      this.#chunk = this.#nextChunk();
      this.#filled = 0;
    }
  }

  #nextChunk(): Float32Array<ArrayBuffer> {
    return this.#spare.pop() ?? new Float32Array(CHUNK_SAMPLES);
  }
}
