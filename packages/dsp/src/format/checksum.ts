/**
 * Computes CRC-8 with polynomial x⁸+x²+x+1, used in FLAC frame headers.
 *
 * @see RFC 9639, 9.1.8
 */
export function crc8(bytes: Uint8Array, from: number, to: number): number {
  let crc = 0;
  for (let at = from; at < to; at++) crc = CRC8_TABLE[crc ^ (bytes[at] ?? 0)] ?? 0;
  return crc;
}

/**
 * Table of CRC-16 with polynomial 0x8005, most significant bit first, used in FLAC frames.
 *
 * @see RFC 9639, 9.3
 */
export const CRC16_TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 8;
  for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ ((crc & 0x8000) === 0 ? 0 : 0x8005)) & 0xffff;
  return crc;
});

/** Table k contains the checksum of a byte followed by k zeros, so that eight bytes are processed at once. */
const CRC16_TABLES: Uint16Array[] = [CRC16_TABLE];
for (let zeros = 1; zeros < 8; zeros++) {
  const last = CRC16_TABLES[zeros - 1] as Uint16Array;
  CRC16_TABLES.push(last.map((crc) => ((crc << 8) & 0xffff) ^ (CRC16_TABLE[crc >> 8] as number)));
}

/**
 * Computes the CRC-16 of FLAC over bytes `from` to `to`, starting at 0.
 *
 * @see Kounavis and Berry, "Novel Table Lookup-Based Algorithms"
 */
export function crc16(bytes: Uint8Array, from: number, to: number): number {
  const [t0, t1, t2, t3, t4, t5, t6, t7] = CRC16_TABLES as [
    ...[Uint16Array, Uint16Array, Uint16Array, Uint16Array],
    ...[Uint16Array, Uint16Array, Uint16Array, Uint16Array],
  ];
  let crc = 0;
  let at = from;
  for (const last = to - 7; at < last; at += 8) {
    crc =
      (t7[(crc >> 8) ^ (bytes[at] as number)] as number) ^
      (t6[(crc & 255) ^ (bytes[at + 1] as number)] as number) ^
      (t5[bytes[at + 2] as number] as number) ^
      (t4[bytes[at + 3] as number] as number) ^
      (t3[bytes[at + 4] as number] as number) ^
      (t2[bytes[at + 5] as number] as number) ^
      (t1[bytes[at + 6] as number] as number) ^
      (t0[bytes[at + 7] as number] as number);
  }
  for (; at < to; at++) crc = ((crc << 8) & 0xffff) ^ (t0[(crc >> 8) ^ (bytes[at] as number)] as number);
  return crc;
}

const CRC8_TABLE = Uint8Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = ((crc << 1) ^ ((crc & 0x80) === 0 ? 0 : 0x07)) & 0xff;
  return crc;
});

/** Computes CRC-16 with polynomial 0x8005, least significant bit first, continued from `crc`, used in the LAME tag. */
export function crc16Reflected(bytes: Uint8Array, crc: number): number {
  let value = crc;
  for (const byte of bytes) value = (value >> 8) ^ (CRC16_REFLECTED_TABLE[(value ^ byte) & 255] ?? 0);
  return value;
}

const CRC16_REFLECTED_TABLE = Uint16Array.from({ length: 256 }, (_, byte) => {
  let crc = byte;
  for (let bit = 0; bit < 8; bit++) crc = (crc >> 1) ^ ((crc & 1) === 0 ? 0 : 0xa001);
  return crc;
});

/**
 * Computes the checksum of an Ogg page over its first `length` bytes, with the checksum field (bytes 22 to 25) counted
 * as 0.
 *
 * It is CRC-32 with polynomial 0x04C11DB7, most significant bit first, starting at 0.
 *
 * @see RFC 3533, 6
 */
export function crc32Ogg(page: Uint8Array, length: number): number {
  let crc = 0;
  for (let at = 0; at < 26; at++) {
    const byte = at < 22 ? (page[at] as number) : 0;
    crc = (crc << 8) ^ (CRC32_TABLE[(crc >>> 24) ^ byte] as number);
  }
  for (let at = 26; at < length; at++) {
    crc = (crc << 8) ^ (CRC32_TABLE[(crc >>> 24) ^ (page[at] as number)] as number);
  }
  return crc >>> 0;
}

const CRC32_TABLE = Int32Array.from({ length: 256 }, (_, byte) => {
  let crc = byte << 24;
  for (let bit = 0; bit < 8; bit++) crc = (crc << 1) ^ (crc < 0 ? 0x04c11db7 : 0);
  return crc;
});
