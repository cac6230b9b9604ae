import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findSimilarFrames, quantileOverSimilar } from './similar-frames.ts';

test('finds the repetitions of each frame of a pattern, itself first', () => {
  const period = 7;
  const features = Float32Array.from({ length: 42 }, (_, t) => [3, 1, 4, 1, 5, 9, 2][t % period] as number);
  const similar = findSimilarFrames(features, 1, { back: 1, ahead: 1, count: 4, spacing: 3 });
  assert.equal(similar.length, 42);
  assert.equal(
    similar[10]?.[0],
    similar[10]?.find((frame) => frame % period === 3),
  );
  for (const frame of similar[10] ?? []) assert.equal(frame % period, 3, `frame ${frame}`);
});

test('finds fewer similar frames in short audio', () => {
  const similar = findSimilarFrames(new Float32Array(5), 1, { back: 0, ahead: 0, count: 15, spacing: 20 });
  assert.deepEqual(
    similar.map((frames) => frames.length),
    [1, 1, 1, 1, 1],
  );
});

test('the quantile over similar frames is at most the value itself', () => {
  const values = Float32Array.from([9, 1, 5, 7, 3]);
  const all = Int32Array.from([0, 1, 2, 3, 4]);
  const similar = Array.from({ length: 5 }, () => all);
  assert.deepEqual([...quantileOverSimilar(values, 1, 1, similar, 0.5)], [5, 1, 5, 5, 3]);
  assert.deepEqual([...quantileOverSimilar(values, 1, 1, similar, 0)], [1, 1, 1, 1, 1]);
  assert.deepEqual([...quantileOverSimilar(values, 1, 1, similar, 1)], [9, 1, 5, 7, 3]);
});
