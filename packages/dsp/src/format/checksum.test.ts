import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc8, crc16, crc32Ogg } from './checksum.ts';

const digits = Uint8Array.from('123456789', (digit) => digit.charCodeAt(0));

test('matches the CRC catalogue for the checksums of FLAC', () => {
  // CRC-8/SMBUS and CRC-16/UMTS of the nine digits.
  assert.equal(crc8(digits, 0, 9), 0xf4);
  assert.equal(crc16(digits, 0, 9), 0xfee8);
});

test('computes the same checksum eight bytes at a time as byte by byte, at any offset and length', () => {
  const bytes = Uint8Array.from({ length: 70 }, (_, at) => (at * at * 31 + 7) & 255);
  const slow = (from: number, to: number) => {
    let crc = 0;
    for (let at = from; at < to; at++)
      for (let bit = 7; bit >= 0; bit--) {
        const isSet = ((crc >> 15) ^ ((bytes[at] ?? 0) >> bit)) & 1;
        crc = ((crc << 1) & 0xffff) ^ (isSet ? 0x8005 : 0);
      }
    return crc;
  };
  for (let from = 0; from < 10; from++)
    for (let to = from; to <= bytes.length; to++) assert.equal(crc16(bytes, from, to), slow(from, to));
});

test('counts the checksum field of an Ogg page as zeros', () => {
  const page = Uint8Array.from({ length: 40 }, (_, at) => at);
  const blank = page.slice().fill(0, 22, 26);
  let crc = 0;
  for (const byte of blank)
    for (let bit = 7; bit >= 0; bit--) {
      const isSet = ((crc >>> 31) ^ (byte >> bit)) & 1;
      crc = ((crc << 1) ^ (isSet ? 0x04c11db7 : 0)) >>> 0;
    }
  assert.equal(crc32Ogg(page, 40), crc);
});
