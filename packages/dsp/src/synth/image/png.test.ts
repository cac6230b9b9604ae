import assert from 'node:assert/strict';
import { test } from 'node:test';
import { deflate } from './deflate.ts';
import { writePng } from './png.ts';

/** Inflates with the decompressor of the web platform, which Node also has, as an independent implementation. */
async function inflate(packed: Uint8Array): Promise<Uint8Array> {
  const stream = new Response(packed as BodyInit).body!.pipeThrough(new DecompressionStream('deflate'));
  return new Uint8Array(await new Response(stream).arrayBuffer());
}

test('inflates deflated bytes to the original: noise, runs and periodic data', async () => {
  let state = 1;
  const noise = Uint8Array.from(
    { length: 5000 },
    () => (state = (state * 1103515245 + 12345) & 0x7fffffff) >> 16,
  );
  const runs = new Uint8Array(70_000).fill(7, 100, 60_000);
  const periods = Uint8Array.from({ length: 40_000 }, (_, index) => (index % 259) & 255);
  for (const bytes of [noise, runs, periods, Uint8Array.of(), Uint8Array.of(1), Uint8Array.of(1, 1, 1, 1)]) {
    assert.deepEqual(await inflate(deflate(bytes)), bytes);
  }
  assert.ok(deflate(runs).length < 1000);
});

test('writes signature and size of a PNG and rejects bytes of the wrong length', () => {
  const png = writePng(2, 3, new Uint8Array(18));
  assert.deepEqual(png.slice(0, 8), Uint8Array.of(137, 80, 78, 71, 13, 10, 26, 10));
  const view = new DataView(png.buffer);
  assert.deepEqual([view.getUint32(16), view.getUint32(20)], [2, 3]);
  // The checksum of an empty IEND chunk is a known constant.
  assert.equal(view.getUint32(png.length - 4), 0xae426082);
  assert.throws(() => writePng(2, 3, new Uint8Array(17)), /must have 18 bytes \(got 17\)/);
});
