import assert from 'node:assert/strict';
import { test } from 'node:test';
import { estimateBassHarmonics } from './bass-harmonics.ts';

const binHz = 10;
const bins = 110;
const frames = 100;
const pitchHz = new Float64Array(frames).fill(50);
/** Level of a harmonic of the bass. */
const levelOf = (harmonic: number): number => 1 / harmonic;

/** A bass alone; in every fifth frame, another instrument adds `added` at the third harmonic. */
function makeSpectrogram(added: number): Float32Array {
  const magnitude = new Float32Array(frames * bins);
  for (let t = 0; t < frames; t++) {
    for (let harmonic = 1; harmonic * 5 < bins; harmonic++)
      magnitude[t * bins + harmonic * 5] = levelOf(harmonic);
    if (t % 5 === 0) magnitude[t * bins + 15] = levelOf(3) + added;
  }
  return magnitude;
}

test('all harmonics of a bass alone are its own', () => {
  for (const parts of estimateBassHarmonics(makeSpectrogram(0), bins, binHz, pitchHz)) {
    for (const part of parts.subarray(0, 20)) assert.ok(part > 0.999, `${part}`);
  }
});

test('what another instrument adds to a harmonic is not the part of the bass', () => {
  const parts = estimateBassHarmonics(makeSpectrogram(1), bins, binHz, pitchHz);
  const expected = (levelOf(3) / (levelOf(3) + 1)) ** 2;
  for (const [t, part] of parts.entries()) {
    const third = part[2] as number;
    assert.ok(Math.abs(third - (t % 5 === 0 ? expected : 1)) < 1e-3, `frame ${t}: ${third}`);
  }
});

test('silence and few frames have no harmonics', () => {
  for (const count of [0, 3]) {
    const parts = estimateBassHarmonics(new Float32Array(count * bins), bins, binHz, pitchHz.slice(0, count));
    assert.equal(parts.length, count);
    for (const part of parts) assert.ok(part.every((value) => value === 0));
  }
});
