import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createBufferPool } from './buffer-pool.ts';
import { estimateGuitarAndPiano, networkBandEnergies } from './guitar-piano-masks.ts';
import { type MaskNetwork, networkBands } from './mask-network.ts';
import { binCount, createSpectrogramTransform } from './stereo-spectrogram.ts';

const rate = 44_100;
const seconds = 2;
const tone = (hz: number, level: number): Float32Array =>
  Float32Array.from({ length: seconds * rate }, (_, i) => level * Math.sin((2 * Math.PI * hz * i) / rate));
const plus = (a: Float32Array, b: Float32Array): Float32Array => a.map((x, i) => x + (b[i] as number));
const transform = await createSpectrogramTransform();

/** A network that is undecided, or takes more energy in the upper half of the bands for a guitar. */
const network = (listens: boolean): MaskNetwork => ({
  estimate(energies) {
    const logits = new Float64Array(3 * energies.length);
    let balance = 0;
    for (const [i, energy] of energies.entries()) balance += i % networkBands < 48 ? -energy : energy;
    const instrument = balance > 0 ? 0 : 1;
    for (let i = instrument; i < logits.length; i += 3) logits[i] = listens ? 3 : 0;
    return { logits, presence: { guitar: balance > 0 ? 3 : 1, piano: balance > 0 ? -2 : -1 } };
  },
});

const divide = (left: Float32Array, right: Float32Array, listens: boolean) => {
  const spectrogram = transform.analyse(left, right);
  const reported: number[] = [];
  const masks = estimateGuitarAndPiano(
    spectrogram,
    networkBandEnergies(spectrogram),
    network(listens),
    createBufferPool(),
    (part) => reported.push(part),
  );
  return { ...masks, reported, middle: Math.floor(spectrogram.frameCount / 2) * binCount };
};

test('undecided masks are a third each, and 0 below 54 Hz', () => {
  const { guitar, piano, presence, middle, reported } = divide(tone(440, 0.2), tone(440, 0.1), false);
  for (const k of [5, 41, 1400, 2000]) {
    assert.ok(Math.abs((guitar[middle + k] as number) - 1 / 3) < 1e-6, `bin ${k}: ${guitar[middle + k]}`);
    assert.ok(Math.abs((piano[middle + k] as number) - 1 / 3) < 1e-6);
  }
  for (let k = 0; k < 5; k++) assert.deepEqual([guitar[middle + k], piano[middle + k]], [0, 0]);
  assert.deepEqual(presence, { guitar: 1, piano: -1 });
  assert.deepEqual(
    reported,
    [...reported].sort((a, b) => a - b),
  );
  assert.equal(reported.at(-1), 1);
});

test('masks at one pan position follow the estimate at that position', () => {
  const low = 220;
  const high = 4000;
  // The low tone on the left, the high one on the right, both equally loud.
  const left = plus(tone(low, 0.3), tone(high, 0.03));
  const right = plus(tone(low, 0.03), tone(high, 0.3));
  const { guitar, piano, middle, presence } = divide(left, right, true);
  // The high tone alone indicates a guitar, the low one alone a piano.
  assert.deepEqual(presence, { guitar: 3, piano: -1 });
  const bin = (hz: number): number => middle + Math.round((hz * 4096) / rate);
  const leads = (a: Float32Array, b: Float32Array, hz: number): boolean =>
    (a[bin(hz)] as number) > 1.5 * (b[bin(hz)] as number);
  assert.ok(leads(piano, guitar, low), `${piano[bin(low)]} over ${guitar[bin(low)]}`);
  assert.ok(leads(guitar, piano, high), `${guitar[bin(high)]} over ${piano[bin(high)]}`);
  for (const [i, mask] of guitar.entries()) assert.ok(mask + (piano[i] as number) <= 1 + 1e-6);
});
