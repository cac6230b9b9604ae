import assert from 'node:assert/strict';
import { test } from 'node:test';
import { everywhere, placesOf } from './panorama.ts';

test('a bin is left, in the middle or right by the levels of its sides, and nowhere when they are not in phase', () => {
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
  const plane = (i: number): Float32Array => Float32Array.from(sides, (bin) => bin[i] as number);
  const spectrogram = {
    frameCount: 1,
    sampleCount: 0,
    leftRe: plane(0),
    leftIm: plane(1),
    rightRe: plane(2),
    rightIm: plane(3),
  };
  const places = placesOf(spectrogram);
  assert.equal(places[1], 0);
  assert.equal(places[2], 7);
  assert.equal(places[5], 14);
  assert.equal(places[6], everywhere);
  assert.equal(places[7], everywhere);
  assert.equal(places[0], 0);
  assert.equal(places[3], everywhere);
  assert.equal(places[4], 14);
});
