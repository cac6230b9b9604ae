import assert from 'node:assert/strict';
import { test } from 'node:test';
import { randomNetworkWeights } from '../testing/network-weights.ts';
import { networkBands, readMaskNetwork } from './mask-network.ts';

const frames = 40;
const energies = (scale: number): Float32Array =>
  Float32Array.from({ length: frames * networkBands }, (_, i) => scale * (1 + Math.sin(0.37 * i)) ** 4);
const parts = new Float32Array(frames * networkBands).fill(0.5);

test('the overall level does not matter, the bands do', () => {
  const network = readMaskNetwork(randomNetworkWeights());
  const quiet = network.estimate(energies(1e-3), parts);
  const loud = network.estimate(energies(10), parts);
  assert.equal(quiet.logits.length, frames * networkBands * 3);
  for (const [i, logit] of quiet.logits.entries()) {
    assert.ok(Number.isFinite(logit));
    assert.ok(Math.abs(logit - (loud.logits[i] as number)) < 1e-4);
  }
  assert.ok(Math.abs(quiet.presence.guitar - loud.presence.guitar) < 1e-4);
  const other = network.estimate(energies(1).reverse(), parts);
  assert.notEqual(other.presence.piano, quiet.presence.piano);
});

test('silence gives finite numbers', () => {
  const network = readMaskNetwork(randomNetworkWeights());
  const { logits, presence } = network.estimate(new Float32Array(frames * networkBands), parts);
  assert.ok(logits.every(Number.isFinite));
  assert.ok(Number.isFinite(presence.guitar) && Number.isFinite(presence.piano));
});

test('weights are half precision: with only the last biases set, those are the output', () => {
  const bytes = new Uint8Array(randomNetworkWeights().length);
  const view = new DataView(bytes.buffer);
  // 1, −2.5, the smallest half and one that is not normal, as the presence of guitar and piano and two unused ones.
  for (const [i, half] of [0x3c00, 0xc100, 0x0001, 0x0200].entries()) {
    view.setUint16(bytes.length - 8 + 2 * i, half, true);
  }
  const { logits, presence } = readMaskNetwork(bytes).estimate(energies(1), parts);
  assert.ok(logits.every((logit) => logit === 0));
  assert.deepEqual(presence, { guitar: 1, piano: -2.5 });
});

test('refuses weights of another network, and bands that are not whole frames', () => {
  assert.throws(() => readMaskNetwork(new Uint8Array(10)), /must be \d+ bytes \(got 10\)/);
  const network = readMaskNetwork(randomNetworkWeights());
  assert.throws(
    () => network.estimate(new Float32Array(100), new Float32Array(100)),
    /96 values per frame \(got 100/,
  );
  assert.throws(() => network.estimate(new Float32Array(96), new Float32Array(192)), /got 96 and 192/);
});
