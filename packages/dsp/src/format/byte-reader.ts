/** Largest part copied from one incoming chunk, so that a whole file given as one chunk is not copied. */
const PIECE_BYTES = 1 << 16;

/**
 * Returns the bytes of a file from `offset` on, none after its end. The iterator ends when the consumer stops early.
 */
export type ReadFrom = (offset: number) => AsyncIterable<Uint8Array>;

/** A seek further ahead than this opens a new stream instead of reading on. */
const FAR_BYTES = 1 << 18;

/**
 * A window over a stream of bytes, which is filled, viewed and consumed.
 *
 * Memory is bounded by the largest requested window, whatever the size of the chunks.
 */
export class ByteReader {
  /** Offset of the window in the stream, in bytes. */
  position = 0;

  #source: AsyncIterator<Uint8Array>;
  readonly #readFrom: ReadFrom | null;
  #chunk: Uint8Array = new Uint8Array(0);
  #buffer = new Uint8Array(PIECE_BYTES * 2);
  #start = 0;
  #end = 0;
  #sourceEnded = false;

  /** @param readFrom for a seekable file, of which `chunks` are the bytes from 0 on */
  constructor(chunks: AsyncIterable<Uint8Array>, readFrom: ReadFrom | null = null) {
    this.#source = chunks[Symbol.asyncIterator]();
    this.#readFrom = readFrom;
  }

  /** Whether `seek` can move backwards. */
  get isSeekable(): boolean {
    return this.#readFrom !== null;
  }

  /** The bytes in the window, valid until the next `fill` or `skip`. */
  get view(): Uint8Array {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** Whether the stream ends with the window. Only meaningful after a `fill` that returned less than requested. */
  get ended(): boolean {
    return this.#sourceEnded && this.#chunk.length === 0;
  }

  /** Extends the window to at least `length` bytes, or to the end of the stream; returns its view. */
  async fill(length: number): Promise<Uint8Array> {
    while (this.#end - this.#start < length) {
      if (this.#chunk.length === 0) {
        if (this.#sourceEnded) break;
        const next = await this.#source.next();
        if (next.done === true) this.#sourceEnded = true;
        else this.#chunk = next.value;
        continue;
      }
      const piece = this.#chunk.subarray(0, PIECE_BYTES);
      this.#reserve(piece.length);
      this.#buffer.set(piece, this.#end);
      this.#end += piece.length;
      this.#chunk = this.#chunk.subarray(piece.length);
    }
    return this.view;
  }

  /** Removes the first `length` bytes from the window, which must contain that many. */
  consume(length: number): void {
    if (length > this.#end - this.#start) {
      throw new RangeError(`consume at most the window of ${this.#end - this.#start} bytes (got ${length})`);
    }
    this.#start += length;
    this.position += length;
  }

  /** Skips `length` bytes without keeping them; returns how many there were. */
  async skip(length: number): Promise<number> {
    let left = length;
    while (left > 0) {
      const available = (await this.fill(Math.min(left, PIECE_BYTES))).length;
      if (available === 0) break;
      const step = Math.min(left, available);
      this.consume(step);
      left -= step;
    }
    return length - left;
  }

  /**
   * Moves the window to byte `position`, with a new stream if that is before the window or far ahead.
   * @throws RangeError for a position before the window in a stream that is not seekable
   */
  async seek(position: number): Promise<void> {
    const ahead = position - this.position;
    if (ahead >= 0 && (ahead <= FAR_BYTES || this.#readFrom === null)) {
      await this.skip(ahead);
      return;
    }
    if (this.#readFrom === null) {
      throw new RangeError(
        `a stream that is not seekable must be read forwards (${position} requested at ${this.position})`,
      );
    }
    await this.close();
    this.#source = this.#readFrom(position)[Symbol.asyncIterator]();
    this.#sourceEnded = false;
    this.position = position;
  }

  /** Ends the input, which closes its file handle. Further calls have no effect. */
  async close(): Promise<void> {
    const wasOpen = !this.#sourceEnded;
    this.#sourceEnded = true;
    this.#chunk = new Uint8Array(0);
    this.#start = 0;
    this.#end = 0;
    if (wasOpen) await this.#source.return?.();
  }

  #reserve(length: number): void {
    if (this.#end + length <= this.#buffer.length) return;
    const used = this.#end - this.#start;
    const target = used + length <= this.#buffer.length ? this.#buffer : new Uint8Array((used + length) * 2);
    target.set(this.view);
    this.#buffer = target;
    this.#start = 0;
    this.#end = used;
  }
}

/** Returns bytes `from` to `to` as Latin-1 text, for four-letter tags. */
export function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
