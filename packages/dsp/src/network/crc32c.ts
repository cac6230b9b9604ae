/** Polynomial 0x1EDC6F41 of Castagnoli, least significant bit first. */
const reversedPolynomial = 0x82f63b78;

const first = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >>> 1) ^ ((crc & 1) === 0 ? 0 : reversedPolynomial);
  return crc;
});

/** Table k contains the checksum of a byte followed by k zeros, so that four bytes are processed at once. */
const tables: Int32Array[] = [first];
for (let zeros = 1; zeros < 4; zeros++)
  tables.push((tables[zeros - 1] as Int32Array).map((crc) => (crc >>> 8) ^ (first[crc & 255] as number)));

/**
 * Returns the CRC-32C of bytes, 0 to 2³² − 1, continued from the checksum `crc` of the bytes before them.
 *
 * @see RFC 3720, appendix B.4
 */
export function crc32c(bytes: Uint8Array, crc = 0): number {
  const [t0, t1, t2, t3] = tables as [Int32Array, Int32Array, Int32Array, Int32Array];
  let value = ~crc;
  let at = 0;
  for (const last = bytes.length - 3; at < last; at += 4) {
    value ^=
      (bytes[at] as number) |
      ((bytes[at + 1] as number) << 8) |
      ((bytes[at + 2] as number) << 16) |
      ((bytes[at + 3] as number) << 24);
    value =
      (t3[value & 255] as number) ^
      (t2[(value >>> 8) & 255] as number) ^
      (t1[(value >>> 16) & 255] as number) ^
      (t0[value >>> 24] as number);
  }
  for (; at < bytes.length; at++)
    value = (value >>> 8) ^ (t0[(value ^ (bytes[at] as number)) & 255] as number);
  return ~value >>> 0;
}

/**
 * Returns the masked form in which LevelDB tables and TensorFlow store a CRC-32C, so that a checksum of data that
 * contain checksums is still useful.
 */
export function maskCrc32c(crc: number): number {
  return (((crc >>> 15) | (crc << 17)) + 0xa282ead8) >>> 0;
}
