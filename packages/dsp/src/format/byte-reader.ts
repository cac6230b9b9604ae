/** Largest piece copied from one incoming chunk, so that a whole file given as one chunk stays uncopied. */
const PIECE_BYTES = 1 << 16;

/** The bytes of a file from `offset` on; none from its end on. Whoever stops reading early ends the iterator. */
export type ReadFrom = (offset: number) => AsyncIterable<Uint8Array>;

/** Ahead by more than this a new stream is opened rather than read up to. */
const FAR_BYTES = 1 << 18;

/**
 * A window over a stream of bytes: ask for bytes, look at them, consume them.
 *
 * Memory is bounded by the largest window asked for, whatever the size of the chunks.
 */
export class ByteReader {
  /** Bytes consumed since the beginning of the stream. */
  position = 0;

  #source: AsyncIterator<Uint8Array>;
  readonly #readFrom: ReadFrom | null;
  #chunk: Uint8Array = new Uint8Array(0);
  #buffer = new Uint8Array(PIECE_BYTES * 2);
  #start = 0;
  #end = 0;
  #sourceEnded = false;

  /** @param readFrom for a file that can be read anywhere, from which `chunks` are the stream from byte 0 */
  constructor(chunks: AsyncIterable<Uint8Array>, readFrom: ReadFrom | null = null) {
    this.#source = chunks[Symbol.asyncIterator]();
    this.#readFrom = readFrom;
  }

  /** Whether `seek` goes anywhere, and not only ahead. */
  get isSeekable(): boolean {
    return this.#readFrom !== null;
  }

  /** The bytes in the window, valid until the next call of `fill` or `skip`. */
  get view(): Uint8Array {
    return this.#buffer.subarray(this.#start, this.#end);
  }

  /** Whether nothing follows the window. Only meaningful after a `fill` that returned less than asked. */
  get ended(): boolean {
    return this.#sourceEnded && this.#chunk.length === 0;
  }

  /** Makes the window at least `length` bytes long, or as long as the stream is; returns its view. */
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
      this.#makeRoom(piece.length);
      this.#buffer.set(piece, this.#end);
      this.#end += piece.length;
      this.#chunk = this.#chunk.subarray(piece.length);
    }
    return this.view;
  }

  /** Drops the first `length` bytes of the window, which must hold that many. */
  consume(length: number): void {
    if (length > this.#end - this.#start) {
      throw new RangeError(`consume at most the window of ${this.#end - this.#start} bytes (got ${length})`);
    }
    this.#start += length;
    this.position += length;
  }

  /** Drops `length` bytes, reading on as needed without keeping them; returns how many there were. */
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
   * Moves to byte `position` of the stream, by a new stream where that is far ahead or behind.
   * @throws RangeError for a place behind in what can only be read ahead
   */
  async seek(position: number): Promise<void> {
    const ahead = position - this.position;
    if (ahead >= 0 && (ahead <= FAR_BYTES || this.#readFrom === null)) {
      await this.skip(ahead);
      return;
    }
    if (this.#readFrom === null) {
      throw new RangeError(
        `what is read as a stream must go ahead (asked for ${position} at ${this.position})`,
      );
    }
    await this.close();
    this.#source = this.#readFrom(position)[Symbol.asyncIterator]();
    this.#sourceEnded = false;
    this.position = position;
  }

  /** Ends the input, so that a file handle behind it closes. Harmless when called again. */
  async close(): Promise<void> {
    const wasOpen = !this.#sourceEnded;
    this.#sourceEnded = true;
    this.#chunk = new Uint8Array(0);
    this.#start = 0;
    this.#end = 0;
    if (wasOpen) await this.#source.return?.();
  }

  #makeRoom(length: number): void {
    if (this.#end + length <= this.#buffer.length) return;
    const used = this.#end - this.#start;
    const target = used + length <= this.#buffer.length ? this.#buffer : new Uint8Array((used + length) * 2);
    target.set(this.view);
    this.#buffer = target;
    this.#start = 0;
    this.#end = used;
  }
}

/** Bytes `from` to `to` as Latin-1 text, for four-letter tags. */
export function ascii(bytes: Uint8Array, from: number, to: number): string {
  return String.fromCharCode(...bytes.subarray(from, to));
}
