import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Scope } from '../base/scope.ts';
import type { StemFile } from '../player/stem-file.ts';
import { SampleBlocks } from './sample-blocks.ts';

const frames = 100_000;

test('returns blocks of samples once they are read, both sides mixed, and reads each once', async () => {
  const reads: number[] = [];
  const file: StemFile = {
    frames,
    channels: 2,
    sampleRateHz: 44_100,
    bytesPerFrame: 4,
    read(from, to) {
      reads.push(from);
      return Promise.resolve(
        Int16Array.from({ length: 2 * (to - from) }, (_, n) => (n % 2 === 0 ? 16_384 : 0)),
      );
    },
  };
  const scope = new Scope();
  const blocks = new SampleBlocks([file], scope);
  assert.equal(blocks.block(0, 0), null);
  assert.equal(blocks.block(0, 1), null);
  assert.equal(blocks.block(0, 2), null, 'behind the end');
  await Promise.resolve();
  await new Promise((resolve) => setImmediate(resolve));
  assert.equal(blocks.version, 2);
  assert.equal(blocks.block(0, 0)?.[10], 0.25);
  assert.equal(blocks.block(0, 1)?.length, frames - 65_536);
  assert.deepEqual(reads, [0, 65_536]);
  scope.dispose();
});
