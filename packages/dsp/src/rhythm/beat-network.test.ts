import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadFft } from '../transform/fft.ts';
import {
  type BeatActivations,
  createBeatNetworkKernel,
  loadBeatNetwork,
  readBeatWeights,
} from './beat-network.ts';
import { beatBands, interpolatedBins, BEAT_NETWORK_RATE as RATE } from './beat-network-input.ts';

/** Eight seconds of drums at 120 bpm under a chord, then two of silence, as in `training/golden_beats.py`. */
const song = Float32Array.from({ length: 10 * RATE }, (_, n) => {
  if (n >= 8 * RATE) return 0;
  const noise = (Math.imul(n, 2654435761) >>> 0) / 2 ** 31 - 1;
  const time = n / RATE;
  const beat = time % 0.5;
  const isEven = Math.floor(time / 0.5) % 2 === 0;
  const chord = [220, 277.18, 329.63].reduce((sum, hz) => sum + Math.sin(2 * Math.PI * hz * time), 0);
  const drum = isEven
    ? 0.6 * Math.exp(-20 * beat) * Math.sin(2 * Math.PI * 60 * beat)
    : 0.4 * Math.exp(-25 * beat) * noise;
  return 0.05 * chord + drum + 0.15 * Math.exp(-60 * (time % 0.25)) * noise;
});

/** Frame, probability of a beat and of a downbeat: output of `training/golden_beats.py`. */
const golden = [
  [95, 0.00238, 0.00035],
  [98, 0.05255, 0.00907],
  [99, 0.56923, 0.26231],
  [100, 0.56583, 0.2944],
  [101, 0.0266, 0.00473],
  [112, 0.00919, 0.02664],
  [123, 0.06504, 0.0124],
  [124, 0.53406, 0.30026],
  [125, 0.8798, 0.06597],
  [126, 0.1147, 0.00429],
  [395, 0.00128, 0.00012],
  [399, 0.20222, 0.10954],
  [400, 0.44882, 0.25901],
  [401, 0.236, 0.0457],
  [404, 0.07412, 0.02159],
  [500, 0.0099, 0.03356],
] as const;
/** Sums of both probabilities over all frames, from the same script. */
const sums = { beat: 28.096, downbeat: 14.946 };

function activationsOf(samples: Float32Array, block = 4_096): BeatActivations {
  const kernel = createBeatNetworkKernel();
  for (let at = 0; at < samples.length; at += block) kernel.push(samples.subarray(at, at + block));
  const activations = kernel.finish();
  kernel.dispose();
  return activations;
}

describe('beat network', () => {
  before(() => Promise.all([loadFft(), loadBeatNetwork()]));

  it('agrees with an implementation in numpy', () => {
    const { beat, downbeat } = activationsOf(song);
    assert.equal(beat.length, 501);
    for (const [frame, beatThere, downbeatThere] of golden) {
      assert.ok(Math.abs((beat[frame] ?? 0) - beatThere) < 1e-3, `beat of frame ${frame}: ${beat[frame]}`);
      assert.ok(
        Math.abs((downbeat[frame] ?? 0) - downbeatThere) < 1e-3,
        `downbeat of frame ${frame}: ${downbeat[frame]}`,
      );
    }
    const sumOf = (values: Float32Array): number => values.reduce((sum, value) => sum + value, 0);
    assert.ok(Math.abs(sumOf(beat) - sums.beat) < 0.01, `${sumOf(beat)}`);
    assert.ok(Math.abs(sumOf(downbeat) - sums.downbeat) < 0.01, `${sumOf(downbeat)}`);
  });

  it('does not depend on the block size', () => {
    assert.deepEqual(activationsOf(song, 1_000), activationsOf(song, 100_000));
  });

  it('keeps streams apart that run at the same time', () => {
    const alone = activationsOf(song);
    const [one, two] = [createBeatNetworkKernel(), createBeatNetworkKernel()];
    for (let at = 0; at < song.length; at += 30_000) {
      one.push(song.subarray(at, at + 30_000));
      two.push(new Float32Array(30_000).fill(0.1));
    }
    assert.deepEqual(one.finish(), alone);
    assert.equal(two.finish().beat.length, 1 + Math.floor(240_000 / 441));
    one.dispose();
    two.dispose();
  });

  it('returns probabilities for silence, and nothing for no samples', () => {
    const { beat, downbeat } = activationsOf(new Float32Array(3 * RATE));
    assert.equal(beat.length, 151);
    beat.forEach((value, frame) => {
      const sum = value + (downbeat[frame] ?? 0);
      assert.ok(value >= 0 && sum <= 1.00001, `${sum}`);
    });
    assert.equal(activationsOf(new Float32Array(0)).beat.length, 0);
  });

  it('has 136 bands with a sum of 1, and bins between those of the transform', () => {
    const bands = beatBands();
    assert.equal(bands.length, 136);
    for (const { weights } of bands)
      assert.ok(Math.abs(weights.reduce((sum, weight) => sum + weight, 0) - 1) < 1e-9);
    const first = interpolatedBins()[0];
    assert.ok(first && Math.abs((first.weights[-first.start] ?? 0) - 1) < 1e-9);
  });

  it('refuses weights of another length', () => {
    assert.throws(() => readBeatWeights(new Uint8Array(10)), /must have 416\d{3} bytes \(got 10\)/);
  });
});
