/** Largest piece copied from one incoming chunk, so that a whole file given as one chunk stays uncopied. */
const PIECE_BYTES = 1 << 16;

/**
 * A window over a stream of bytes: ask for bytes, look at them, consume them.
 *
 * Memory is bounded by the largest window asked for, whatever the size of the chunks.
 */
export class ByteReader {
  /** Bytes consumed since the beginning of the stream. */
  position = 0;

  readonly #source: AsyncIterator<Uint8Array>;
  #chunk: Uint8Array = new Uint8Array(0);
  #buffer = new Uint8Array(PIECE_BYTES * 2);
  #start = 0;
  #end = 0;
  #sourceEnded = false;

  constructor(chunks: AsyncIterable<Uint8Array>) {
    this.#source = chunks[Symbol.asyncIterator]();
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
