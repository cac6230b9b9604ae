/** Writes numbers of any width, most significant bit first, to a growing buffer. */
export interface BitWriter {
  /** Bits written so far. */
  readonly bits: number;
  /** Appends the lowest `width` bits of `value`, 1 to 32. */
  write(value: number, width: number): void;
  /** Truncates the output to a number of bits. */
  rewind(bits: number): void;
  /** Returns a copy of the bytes written so far, the last one padded with zeros. */
  bytes(): Uint8Array;
}

/** Creates an empty writer. */
export function createBitWriter(): BitWriter {
  let buffer = new Uint8Array(32_768);
  let bits = 0;
  return {
    get bits() {
      return bits;
    },
    write(value, width) {
      const needed = ((bits + width + 7) >> 3) + 1;
      if (needed > buffer.length) {
        const larger = new Uint8Array(2 * needed);
        larger.set(buffer);
        buffer = larger;
      }
      for (let left = width; left > 0; ) {
        const at = bits >> 3;
        const freeBits = 8 - (bits & 7);
        const count = Math.min(freeBits, left);
        const part = (value >>> (left - count)) & ((1 << count) - 1);
        // Bits that were truncated may still be set here.
        const kept = (buffer[at] as number) & (0xff << freeBits);
        buffer[at] = (kept | (part << (freeBits - count))) & 0xff;
        bits += count;
        left -= count;
      }
    },
    rewind(to) {
      bits = to;
    },
    bytes: () => buffer.slice(0, (bits + 7) >> 3),
  };
}
