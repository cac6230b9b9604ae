import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createSeam, cutSegments, type SegmentPlan, seamWeights } from './segments.ts';
import type { Stereo } from './stereo.ts';

async function* inBlocks(signal: Float32Array, blockFrames: number): AsyncGenerator<Stereo> {
  for (let at = 0; at < signal.length; at += blockFrames) {
    const part = signal.slice(at, at + blockFrames);
    yield { left: part, right: part.map((x) => -x) };
  }
}

const ramp = (length: number): Float32Array => Float32Array.from({ length }, (_, i) => i);
const plan: SegmentPlan = { segmentFrames: 100, overlapFrames: 20, ends: 'lengthened' };
const padded: SegmentPlan = { segmentFrames: 100, overlapFrames: 25, ends: 'padded' };

test('joined segments equal the signal, for any length and any blocks', async () => {
  for (const used of [plan, padded]) {
    for (const length of [1, 19, 75, 76, 99, 100, 101, 150, 151, 175, 176, 230, 1000]) {
      for (const blockFrames of [1, 33, 100, 2000]) {
        const left = createSeam(used);
        const right = createSeam(used);
        const joined: number[] = [];
        for await (const segment of cutSegments(inBlocks(ramp(length), blockFrames), used)) {
          const { isLast, from, frames } = segment;
          joined.push(...left.push(segment.left.slice(from, from + frames), isLast));
          const side = right.push(segment.right.slice(from, from + frames), isLast);
          assert.ok(side.length > 0);
        }
        assert.equal(joined.length, length, `${used.ends}: ${length}`);
        for (const [i, value] of joined.entries())
          assert.ok(Math.abs(value - i) < 1e-3, `${used.ends}, ${length}: ${i} is ${value}`);
      }
    }
  }
});

test('padded segments have equal lengths, the last with half of its padding from the audio before it', async () => {
  for (const length of [10, 100, 130, 160]) {
    const song = ramp(length).map((value) => value + 1);
    const offsets = [0, 75, 150].filter((offset) => offset < length);
    let count = 0;
    for await (const segment of cutSegments(inBlocks(song, 7), padded)) {
      const offset = offsets[count] as number;
      const frames = Math.min(100, length - offset);
      const from = Math.floor((100 - frames) / 2);
      assert.deepEqual([segment.frames, segment.from, segment.left.length], [frames, from, 100]);
      assert.equal(segment.isLast, ++count === offsets.length);
      const wanted = Array.from({ length: 100 }, (_, i) => song[offset - from + i] ?? 0);
      assert.deepEqual([...segment.left], wanted, `${length}: segment ${segment.index}`);
    }
    assert.equal(count, offsets.length);
  }
});

test('normalised triangular windows over padded segments are a straight line in the overlap', () => {
  const triangle = Array.from({ length: 100 }, (_, i) => Math.min(i + 1, 100 - i));
  for (const [i, weight] of seamWeights(padded).entries()) {
    const earlier = triangle[75 + i] as number;
    const later = triangle[i] as number;
    assert.ok(Math.abs(weight - later / (earlier + later)) < 1e-7);
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

test('estimates that sum to the mixture in both segments sum to it in the overlap', () => {
  const mixture = ramp(100);
  const seams = [createSeam(plan), createSeam(plan)];
  // Two estimates that disagree between the segments, each with its own remainder.
  const parts = [0.2, 0.9].map((part) => [mixture.map((x) => x * part), mixture.map((x) => x * (1 - part))]);
  const [first, second] = parts as [Float32Array[], Float32Array[]];
  for (const [i, seam] of seams.entries()) seam.push(first[i] as Float32Array, false);
  const joined = seams.map((seam, i) => seam.push(second[i] as Float32Array, true));
  // The second segment begins where the first has 20 left: its own ramp there stands for the mixture of both.
  const tail = mixture.slice(80);
  const weights = seamWeights(plan);
  for (let i = 0; i < 20; i++) {
    const weight = weights[i] as number;
    const expected = (tail[i] as number) * (1 - weight) + (mixture[i] as number) * weight;
    assert.ok(Math.abs((joined[0]?.[i] as number) + (joined[1]?.[i] as number) - expected) < 1e-4);
  }
});

test('the overlap starts with the earlier and ends with the later segment, without a step', () => {
  const weights = seamWeights({ ...plan, overlapFrames: 88_200 });
  assert.equal(weights[0], 0);
  assert.equal(weights.at(-1), 1);
  for (let i = 1; i < weights.length; i++)
    assert.ok(Math.abs((weights[i] as number) - (weights[i - 1] as number)) < 1e-4);
});
