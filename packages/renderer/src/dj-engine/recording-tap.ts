/** Samples per chunk: left and right of 0.37 s at 44.1 kHz. */
const PIECE_SAMPLES = 32_768;
/** Chunks that are allocated in advance. */
const SPARE_PIECES = 4;

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
  onChunk: (piece: RecordedChunk) => void = () => {};
  readonly #spare: Float32Array<ArrayBuffer>[] = [];
  #piece: Float32Array<ArrayBuffer> | null = null;
  #filled = 0;

  /** Starts a recording, unless one is running. */
  start(): void {
    while (this.#spare.length < SPARE_PIECES) this.#spare.push(new Float32Array(PIECE_SAMPLES));
    this.#piece ??= this.#nextPiece();
  }

  /** Ends the recording with a last, shorter chunk. */
  stop(): void {
    const piece = this.#piece;
    if (!piece) return;
    this.#piece = null;
    this.onChunk({ samples: piece.slice(0, this.#filled), isLast: true });
    this.#filled = 0;
    this.#spare.push(piece);
  }

  /** Takes a chunk back. */
  recycle(samples: Float32Array<ArrayBuffer>): void {
    if (samples.length === PIECE_SAMPLES && this.#spare.length < SPARE_PIECES) this.#spare.push(samples);
  }

  /** Records `frames` samples while a recording is running. */
  process(left: Float32Array, right: Float32Array, frames: number): void {
    if (!this.#piece) return;
    for (let n = 0; n < frames; n++) {
      this.#piece[this.#filled] = left[n]!;
      this.#piece[this.#filled + 1] = right[n]!;
      this.#filled += 2;
      if (this.#filled < PIECE_SAMPLES) continue;
      this.onChunk({ samples: this.#piece, isLast: false });
      this.#piece = this.#nextPiece();
      this.#filled = 0;
    }
  }

  #nextPiece(): Float32Array<ArrayBuffer> {
    return this.#spare.pop() ?? new Float32Array(PIECE_SAMPLES);
  }
}
