import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Stereo } from './backends/backend.ts';
import { createSeam, cutSegments, seamWeights } from './segments.ts';

async function* inBlocks(signal: Float32Array, blockFrames: number): AsyncGenerator<Stereo> {
  for (let at = 0; at < signal.length; at += blockFrames) {
    const part = signal.slice(at, at + blockFrames);
    yield { left: part, right: part.map((x) => -x) };
  }
}

const ramp = (length: number): Float32Array => Float32Array.from({ length }, (_, i) => i);
const plan = { segmentFrames: 100, overlapFrames: 20 };

test('segments joined along their seams are the signal again, for any length and any blocks', async () => {
  for (const length of [1, 19, 99, 100, 101, 150, 151, 230, 1000]) {
    for (const blockFrames of [1, 33, 100, 2000]) {
      const left = createSeam(plan.overlapFrames);
      const right = createSeam(plan.overlapFrames);
      const joined: number[] = [];
      for await (const segment of cutSegments(inBlocks(ramp(length), blockFrames), plan)) {
        joined.push(...left.push(segment.left, segment.isLast));
        const side = right.push(segment.right, segment.isLast);
        assert.ok(side.length > 0);
      }
      assert.equal(joined.length, length);
      for (const [i, value] of joined.entries())
        assert.ok(Math.abs(value - i) < 1e-3, `${length}: ${i} is ${value}`);
    }
  }
});

test('only the last segment differs in length: more than half a segment, up to one and a half', async () => {
  for (const length of [151, 230, 231, 1000]) {
    const lengths: number[] = [];
    for await (const segment of cutSegments(inBlocks(ramp(length), 64), plan))
      lengths.push(segment.left.length);
    const last = lengths.pop() as number;
    assert.ok(last > 50 && last <= 150, `${length}: ${last}`);
    for (const whole of lengths) assert.equal(whole, 100);
  }
});

test('an empty stream has no segment', async () => {
  for await (const segment of cutSegments(inBlocks(ramp(0), 10), plan)) assert.fail(`${segment.index}`);
});

test('what sums to the mixture in each of two segments sums to it along their seam', () => {
  const mixture = ramp(100);
  const seams = [createSeam(20), createSeam(20)];
  // Two estimates that disagree between the segments, each with its own remainder.
  const parts = [0.2, 0.9].map((share) => [
    mixture.map((x) => x * share),
    mixture.map((x) => x * (1 - share)),
  ]);
  const [first, second] = parts as [Float32Array[], Float32Array[]];
  for (const [i, seam] of seams.entries()) seam.push(first[i] as Float32Array, false);
  const joined = seams.map((seam, i) => seam.push(second[i] as Float32Array, true));
  // The second segment begins where the first has 20 left: its own ramp there stands for the mixture of both.
  const tail = mixture.slice(80);
  const weights = seamWeights(20);
  for (let i = 0; i < 20; i++) {
    const weight = weights[i] as number;
    const expected = (tail[i] as number) * (1 - weight) + (mixture[i] as number) * weight;
    assert.ok(Math.abs((joined[0]?.[i] as number) + (joined[1]?.[i] as number) - expected) < 1e-4);
  }
});

test('the seam starts wholly with the earlier and ends wholly with the later segment, without a step', () => {
  const weights = seamWeights(88_200);
  assert.equal(weights[0], 0);
  assert.equal(weights.at(-1), 1);
  for (let i = 1; i < weights.length; i++)
    assert.ok(Math.abs((weights[i] as number) - (weights[i - 1] as number)) < 1e-4);
});
