import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffuse, panPositionsOf } from './pan-positions.ts';

test('a bin is panned by the levels of its audio channels, and diffuse when they are not in phase', () => {
  const sides: [number, number, number, number][] = [
    [1, 0, 0, 0],
    [1, 0, 1e-9, 0],
    [0.6, 0.8, 0.6, 0.8],
    [0, 0, 0, 0],
    [0, 0, 1, 0],
    [0.1, 0, 1, 0],
    [1, 0, -1, 0],
    [1, 0, 0, 1],
  ];
  const values = (i: number): Float32Array => Float32Array.from(sides, (bin) => bin[i] as number);
  const spectrogram = {
    frameCount: 1,
    sampleCount: 0,
    leftRe: values(0),
    leftIm: values(1),
    rightRe: values(2),
    rightIm: values(3),
  };
  const pans = panPositionsOf(spectrogram);
  assert.equal(pans[1], 0);
  assert.equal(pans[2], 7);
  assert.equal(pans[5], 14);
  assert.equal(pans[6], diffuse);
  assert.equal(pans[7], diffuse);
  assert.equal(pans[0], 0);
  assert.equal(pans[3], diffuse);
  assert.equal(pans[4], 14);
});
