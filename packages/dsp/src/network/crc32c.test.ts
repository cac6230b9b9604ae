import assert from 'node:assert/strict';
import { test } from 'node:test';
import { crc32c, maskCrc32c } from './crc32c.ts';

/** @see RFC 3720, B.4 */
test('matches the published checksums, whole or in parts', () => {
  assert.equal(crc32c(new TextEncoder().encode('123456789')), 0xe3069283);
  assert.equal(crc32c(new Uint8Array(32)), 0x8a9136aa);
  assert.equal(crc32c(new Uint8Array(32).fill(255)), 0x62a8ab43);
  assert.equal(crc32c(Uint8Array.from({ length: 32 }, (_, i) => i)), 0x46dd794e);
  assert.equal(crc32c(new Uint8Array(25), crc32c(new Uint8Array(7))), 0x8a9136aa);
  assert.equal(crc32c(new Uint8Array(0)), 0);
});

test('masks a checksum as LevelDB does', () => {
  const crc = crc32c(new TextEncoder().encode('foo'));
  assert.notEqual(maskCrc32c(crc), crc);
  const rotated = (maskCrc32c(crc) - 0xa282ead8) >>> 0;
  assert.equal(((rotated >>> 17) | (rotated << 15)) >>> 0, crc);
});
