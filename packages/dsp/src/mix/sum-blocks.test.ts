import assert from 'node:assert/strict';
import { test } from 'node:test';
import { sumBlocks } from './sum-blocks.ts';

async function* inBlocks(values: readonly number[], size: number): AsyncGenerator<Float32Array[]> {
  for (let at = 0; at < values.length; at += size) {
    const part = Float32Array.from(values.slice(at, at + size));
    yield [part, part.map((value) => -value)];
  }
}

test('sums streams of any block lengths sample by sample, up to the end of the longest', async () => {
  const a = Array.from({ length: 100 }, (_, i) => i);
  const b = Array.from({ length: 70 }, (_, i) => 1000 * i);
  const left: number[] = [];
  const right: number[] = [];
  for await (const [l = [], r = []] of sumBlocks([inBlocks(a, 7), inBlocks(b, 16), inBlocks([], 5)])) {
    left.push(...l);
    right.push(...r);
  }
  const wanted = a.map((value, i) => value + (b[i] ?? 0));
  assert.deepEqual(left, wanted);
  assert.deepEqual(
    right,
    wanted.map((value) => 0 - value),
  );
});

test('ends every stream when the iteration ends early', async () => {
  let open = 0;
  async function* endless(): AsyncGenerator<Float32Array[]> {
    open++;
    try {
      for (;;) yield [new Float32Array(4)];
    } finally {
      open--;
    }
  }
  for await (const block of sumBlocks([endless(), endless()])) {
    assert.equal(block.length, 1);
    break;
  }
  assert.equal(open, 0);
});
