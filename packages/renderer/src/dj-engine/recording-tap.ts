/** Samples of a piece: left and right of 0.37 s at 44.1 kHz. */
const PIECE_SAMPLES = 32_768;
/** Pieces that are made beforehand, so that none has to be made while sound is. */
const SPARE_PIECES = 4;

/** A piece of what was recorded. */
export interface RecordedChunk {
  samples: Float32Array<ArrayBuffer>;
  isLast: boolean;
}

/**
 * Collects what leaves the booth in pieces, interleaved. Pieces that come back are filled again; only where none has come
 * back in time a new one is made, since nothing of a mix may be lost.
 */
export class RecordingTap {
  /** Who takes the pieces. */
  onChunk: (piece: RecordedChunk) => void = () => {};
  readonly #spare: Float32Array<ArrayBuffer>[] = [];
  #piece: Float32Array<ArrayBuffer> | null = null;
  #filled = 0;

  /** Begins a recording; harmless while there is one. */
  start(): void {
    while (this.#spare.length < SPARE_PIECES) this.#spare.push(new Float32Array(PIECE_SAMPLES));
    this.#piece ??= this.#nextPiece();
  }

  /** Ends it with what is there; harmless where there is none. */
  stop(): void {
    const piece = this.#piece;
    if (!piece) return;
    this.#piece = null;
    this.onChunk({ samples: piece.slice(0, this.#filled), isLast: true });
    this.#filled = 0;
    this.#spare.push(piece);
  }

  /** Takes a piece back. */
  recycle(samples: Float32Array<ArrayBuffer>): void {
    if (samples.length === PIECE_SAMPLES && this.#spare.length < SPARE_PIECES) this.#spare.push(samples);
  }

  /** Takes `frames` samples, where it records. */
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
