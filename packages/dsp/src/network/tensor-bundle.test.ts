import assert from 'node:assert/strict';
import { test } from 'node:test';
import { writeCheckpoint, writeSortedTable } from '../testing/checkpoint-file.ts';
import { CheckpointError } from './checkpoint-error.ts';
import { readBundleIndex, readTensorValues, requireTensor } from './tensor-bundle.ts';

const tensors = Array.from({ length: 70 }, (_, i) => ({
  name: `layer_${i}/kernel`,
  shape: [2, i + 1],
  values: Float32Array.from({ length: 2 * (i + 1) }, (_, j) => i + j / 8),
}));
const files = writeCheckpoint(tensors);

const partOf = ({ offset, bytes }: { offset: number; bytes: number }) =>
  files.data.subarray(offset, offset + bytes);

test('reads every tensor of a checkpoint with several blocks and shared key beginnings', () => {
  const found = readBundleIndex(files.index, files.data.length);
  assert.equal(found.size, tensors.length);
  for (const { name, shape, values } of tensors) {
    const tensor = requireTensor(found, name, shape);
    assert.deepEqual(readTensorValues(tensor, partOf(tensor)), values);
  }
});

test('rejects a tensor that is missing or has another shape with both shapes', () => {
  const found = readBundleIndex(files.index, files.data.length);
  assert.throws(() => requireTensor(found, 'other', [1]), /must contain other/);
  assert.throws(
    () => requireTensor(found, 'layer_3/kernel', [4, 2]),
    /layer_3\/kernel must have the shape \[4,2\] \(got \[2,4\]\)/,
  );
});

test('rejects damaged values and values that are not finite', () => {
  const found = readBundleIndex(files.index, files.data.length);
  const tensor = requireTensor(found, 'layer_9/kernel', [2, 10]);
  const altered = partOf(tensor).slice();
  altered[5] = (altered[5] as number) ^ 1;
  assert.throws(() => readTensorValues(tensor, altered), /layer_9\/kernel are damaged/);
  const infinite = writeCheckpoint([{ name: 'a', shape: [1], values: Float32Array.of(Number.NaN) }]);
  const one = requireTensor(readBundleIndex(infinite.index, 4), 'a', [1]);
  assert.throws(() => readTensorValues(one, infinite.data), /must be finite/);
});

test('rejects a data file that is too short, naming the tensor', () => {
  assert.throws(() => readBundleIndex(files.index, files.data.length - 1), /must contain layer_\d+\/kernel/);
});

test('rejects any altered or cut index with an error about the checkpoint and nothing else', () => {
  for (let at = 0; at < files.index.length; at += 7) {
    const altered = files.index.slice();
    altered[at] = (altered[at] as number) ^ 0x10;
    for (const broken of [altered, files.index.subarray(0, at)]) {
      try {
        readBundleIndex(broken, files.data.length);
        // Padding of the footer is the only part that may change.
        assert.ok(at >= files.index.length - 48, `byte ${at} may not change`);
      } catch (error) {
        assert.ok(error instanceof CheckpointError, `${at}: ${String(error)}`);
      }
    }
  }
});

test('rejects tables of other versions and layouts', () => {
  const header = (...bytes: number[]): Uint8Array => writeSortedTable([['', Uint8Array.from(bytes)]]);
  assert.throws(() => readBundleIndex(header(8, 2), 0), /one data file \(got 2\)/);
  assert.throws(() => readBundleIndex(header(8, 1, 16, 1), 0), /least significant byte first/);
  assert.throws(() => readBundleIndex(header(8, 1, 26, 2, 16, 9), 0), /version 1 \(it needs 9\)/);
  assert.throws(
    () => readBundleIndex(writeSortedTable([['a', new Uint8Array(0)]]), 0),
    /begin with its header/,
  );
  assert.throws(() => readBundleIndex(new Uint8Array(10), 0), /48 bytes or more/);
});
