import assert from 'node:assert/strict';
import { test } from 'node:test';
import { networkBandEnergies, shareGuitarAndPiano } from './guitar-piano-shares.ts';
import { createPlaneLender } from './planes.ts';
import { networkBands, type ShareNetwork } from './share-network.ts';
import { binCount, createSpectrogramTransform } from './stereo-spectrogram.ts';

const rate = 44_100;
const seconds = 2;
const tone = (hz: number, level: number): Float32Array =>
  Float32Array.from({ length: seconds * rate }, (_, i) => level * Math.sin((2 * Math.PI * hz * i) / rate));
const plus = (a: Float32Array, b: Float32Array): Float32Array => a.map((x, i) => x + (b[i] as number));
const transform = await createSpectrogramTransform();

/** A network that knows nothing, or takes what has more energy in the upper half of the bands for a guitar. */
const network = (listens: boolean): ShareNetwork => ({
  hear(energies) {
    const logits = new Float64Array(3 * energies.length);
    let balance = 0;
    for (const [i, energy] of energies.entries()) balance += i % networkBands < 48 ? -energy : energy;
    const heard = balance > 0 ? 0 : 1;
    for (let i = heard; i < logits.length; i += 3) logits[i] = listens ? 3 : 0;
    return { logits, presence: { guitar: balance > 0 ? 3 : 1, piano: balance > 0 ? -2 : -1 } };
  },
});

const divide = (left: Float32Array, right: Float32Array, listens: boolean) => {
  const spectrogram = transform.analyse(left, right);
  const told: number[] = [];
  const shares = shareGuitarAndPiano(
    spectrogram,
    networkBandEnergies(spectrogram),
    network(listens),
    createPlaneLender(),
    (part) => told.push(part),
  );
  return { ...shares, told, middle: Math.floor(spectrogram.frameCount / 2) * binCount };
};

test('without an opinion each has a third, and nothing below 54 Hz', () => {
  const { guitar, piano, presence, middle, told } = divide(tone(440, 0.2), tone(440, 0.1), false);
  for (const k of [5, 41, 1400, 2000]) {
    assert.ok(Math.abs((guitar[middle + k] as number) - 1 / 3) < 1e-6, `bin ${k}: ${guitar[middle + k]}`);
    assert.ok(Math.abs((piano[middle + k] as number) - 1 / 3) < 1e-6);
  }
  for (let k = 0; k < 5; k++) assert.deepEqual([guitar[middle + k], piano[middle + k]], [0, 0]);
  assert.deepEqual(presence, { guitar: 1, piano: -1 });
  assert.deepEqual(
    told,
    [...told].sort((a, b) => a - b),
  );
  assert.equal(told.at(-1), 1);
});

test('what stands at one place is divided by what is heard there alone', () => {
  const low = 220;
  const high = 4000;
  // The low tone on the left, the high one on the right, both equally loud.
  const left = plus(tone(low, 0.3), tone(high, 0.03));
  const right = plus(tone(low, 0.03), tone(high, 0.3));
  const { guitar, piano, middle, presence } = divide(left, right, true);
  // The high tone alone speaks for a guitar, the low one alone less against a piano.
  assert.deepEqual(presence, { guitar: 3, piano: -1 });
  const bin = (hz: number): number => middle + Math.round((hz * 4096) / rate);
  const leads = (a: Float32Array, b: Float32Array, hz: number): boolean =>
    (a[bin(hz)] as number) > 1.5 * (b[bin(hz)] as number);
  assert.ok(leads(piano, guitar, low), `${piano[bin(low)]} over ${guitar[bin(low)]}`);
  assert.ok(leads(guitar, piano, high), `${guitar[bin(high)]} over ${piano[bin(high)]}`);
  for (const [i, share] of guitar.entries()) assert.ok(share + (piano[i] as number) <= 1 + 1e-6);
});
