/** Bases and extra bits of the length codes 257 to 285. */
const LENGTH_BASE = [
  3, 4, 5, 6, 7, 8, 9, 10, 11, 13, 15, 17, 19, 23, 27, 31, 35, 43, 51, 59, 67, 83, 99, 115, 131, 163, 195,
  227, 258,
];
const LENGTH_EXTRA = [0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1, 2, 2, 2, 2, 3, 3, 3, 3, 4, 4, 4, 4, 5, 5, 5, 5, 0];
/** Bases and extra bits of the distance codes 0 to 29. */
const DISTANCE_BASE = [
  1, 2, 3, 4, 5, 7, 9, 13, 17, 25, 33, 49, 65, 97, 129, 193, 257, 385, 513, 769, 1025, 1537, 2049, 3073, 4097,
  6145, 8193, 12289, 16385, 24577,
];
const DISTANCE_EXTRA = [
  0, 0, 0, 0, 1, 1, 2, 2, 3, 3, 4, 4, 5, 5, 6, 6, 7, 7, 8, 8, 9, 9, 10, 10, 11, 11, 12, 12, 13, 13,
];

const WINDOW = 32_768;
const HASH_SIZE = 16_384;
const CHAIN = 12;

class BitWriter {
  readonly bytes: number[] = [];
  #held = 0;
  #count = 0;

  /** Writes `count` bits, the lowest first. */
  write(value: number, count: number): void {
    this.#held |= value << this.#count;
    this.#count += count;
    while (this.#count >= 8) {
      this.bytes.push(this.#held & 255);
      this.#held >>>= 8;
      this.#count -= 8;
    }
  }

  /** Writes a Huffman code, its highest bit first. */
  writeCode(code: number, count: number): void {
    let turned = 0;
    for (let bit = 0; bit < count; bit++) turned |= ((code >> bit) & 1) << (count - 1 - bit);
    this.write(turned, count);
  }

  finish(): number[] {
    if (this.#count > 0) this.write(0, 8 - this.#count);
    return this.bytes;
  }
}

/**
 * Compresses bytes to a zlib stream of one block with the fixed Huffman codes.
 *
 * Repetitions are found through chains of three-byte hashes. The output is deterministic.
 *
 * @see RFC 1950 (zlib), RFC 1951 (deflate), section 3.2.6
 */
export function deflate(input: Uint8Array): Uint8Array {
  const bits = new BitWriter();
  bits.write(1, 1);
  bits.write(1, 2);
  const heads = new Int32Array(HASH_SIZE).fill(-1);
  const chain = new Int32Array(input.length).fill(-1);
  const remember = (at: number): void => {
    if (at + 2 >= input.length) return;
    const hash = hashAt(input, at);
    chain[at] = heads[hash]!;
    heads[hash] = at;
  };
  let at = 0;
  while (at < input.length) {
    const match = findMatch(input, at, heads, chain);
    if (match.length < 3) {
      writeSymbol(bits, input[at]!);
      remember(at);
      at++;
      continue;
    }
    writeMatch(bits, match.length, match.distance);
    for (let index = 0; index < match.length; index++) remember(at + index);
    at += match.length;
  }
  writeSymbol(bits, 256);
  const packed = bits.finish();
  const checksum = adler32(input);
  const output = new Uint8Array(packed.length + 6);
  output.set([0x78, 0x01]);
  output.set(packed, 2);
  new DataView(output.buffer).setUint32(packed.length + 2, checksum);
  return output;
}

function hashAt(input: Uint8Array, at: number): number {
  const three = input[at]! | (input[at + 1]! << 8) | (input[at + 2]! << 16);
  return (Math.imul(three, 0x9e3779b1) >>> 18) & (HASH_SIZE - 1);
}

function findMatch(
  input: Uint8Array,
  at: number,
  heads: Int32Array,
  chain: Int32Array,
): { length: number; distance: number } {
  let length = 0;
  let distance = 0;
  if (at + 2 >= input.length) return { length, distance };
  const most = Math.min(258, input.length - at);
  let candidate = heads[hashAt(input, at)]!;
  for (let tries = 0; tries < CHAIN && candidate >= 0 && at - candidate <= WINDOW; tries++) {
    let same = 0;
    while (same < most && input[candidate + same] === input[at + same]) same++;
    if (same > length) {
      length = same;
      distance = at - candidate;
      if (same === most) break;
    }
    candidate = chain[candidate]!;
  }
  return { length, distance };
}

function writeMatch(bits: BitWriter, length: number, distance: number): void {
  let code = LENGTH_BASE.findLastIndex((base) => base <= length);
  // Length 258 has a code of its own, although base 227 with all extra bits set would also give 258.
  if (length === 258) code = 28;
  writeSymbol(bits, 257 + code);
  bits.write(length - LENGTH_BASE[code]!, LENGTH_EXTRA[code]!);
  const far = DISTANCE_BASE.findLastIndex((base) => base <= distance);
  bits.writeCode(far, 5);
  bits.write(distance - DISTANCE_BASE[far]!, DISTANCE_EXTRA[far]!);
}

function writeSymbol(bits: BitWriter, symbol: number): void {
  if (symbol < 144) bits.writeCode(0x30 + symbol, 8);
  else if (symbol < 256) bits.writeCode(0x190 + symbol - 144, 9);
  else if (symbol < 280) bits.writeCode(symbol - 256, 7);
  else bits.writeCode(0xc0 + symbol - 280, 8);
}

function adler32(input: Uint8Array): number {
  let first = 1;
  let second = 0;
  for (const byte of input) {
    first = (first + byte) % 65_521;
    second = (second + first) % 65_521;
  }
  return ((second << 16) | first) >>> 0;
}
