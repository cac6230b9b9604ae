/**
 * Reads the bit fields of a Vorbis packet, least significant bit first.
 *
 * @see Vorbis I specification, 2.1
 */
export class VorbisBitReader {
  readonly #bytes: Uint8Array;
  #bit: number;

  /** @param firstByte index of the first byte to read */
  constructor(bytes: Uint8Array, firstByte = 0) {
    this.#bytes = bytes;
    this.#bit = 8 * firstByte;
  }

  /** Whether more bits were read than the packet contains; those beyond its end are 0. */
  get isBeyondEnd(): boolean {
    return this.#bit > 8 * this.#bytes.length;
  }

  /** Returns an unsigned number of `bits` bits, 0 to 32. */
  read(bits: number): number {
    let value = 0;
    for (let done = 0; done < bits; ) {
      const offset = this.#bit & 7;
      const count = Math.min(8 - offset, bits - done);
      const part = ((this.#bytes[this.#bit >> 3] ?? 0) >> offset) & ((1 << count) - 1);
      value += part * 2 ** done;
      done += count;
      this.#bit += count;
    }
    return value;
  }

  /** Returns whether the next bit is set. */
  readFlag(): boolean {
    return this.read(1) === 1;
  }

  /** Skips `bits` bits. */
  skip(bits: number): void {
    this.#bit += bits;
  }
}

/**
 * Returns the bits needed to write `value`; 0 for 0.
 *
 * @see Vorbis I specification, 9.2.1
 */
export function bitLength(value: number): number {
  return value <= 0 ? 0 : 32 - Math.clz32(value);
}
