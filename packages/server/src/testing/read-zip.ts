import assert from 'node:assert/strict';
import { crc32 } from 'node:zlib';

/**
 * Returns the files of a ZIP by name, in their order. Asserts that each is stored uncompressed, complete, and matches
 * its checksum.
 */
export function readZip(zip: Buffer): Map<string, Buffer> {
  const end = zip.lastIndexOf(Buffer.from('PK\x05\x06', 'latin1'));
  assert.ok(end >= 0, 'the ZIP has no end');
  assert.equal(zip.length, end + 22, 'something follows the end of the ZIP');
  const files = new Map<string, Buffer>();
  let at = zip.readUInt32LE(end + 16);
  for (let i = 0; i < zip.readUInt16LE(end + 10); i++) {
    assert.equal(zip.toString('latin1', at, at + 4), 'PK\x01\x02');
    const nameBytes = zip.readUInt16LE(at + 28);
    const name = zip.toString('utf8', at + 46, at + 46 + nameBytes);
    assert.equal(zip.readUInt16LE(at + 10), 0, `${name} is deflated`);
    const local = zip.readUInt32LE(at + 42);
    const start = local + 30 + zip.readUInt16LE(local + 26) + zip.readUInt16LE(local + 28);
    const bytes = zip.subarray(start, start + zip.readUInt32LE(at + 24));
    assert.equal(crc32(bytes), zip.readUInt32LE(at + 16), `checksum of ${name}`);
    files.set(name, bytes);
    at += 46 + nameBytes + zip.readUInt16LE(at + 30) + zip.readUInt16LE(at + 32);
  }
  return files;
}
