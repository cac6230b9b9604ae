import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createResampler } from '../signal/resample.ts';
import { add, knownParts } from '../testing/known-parts.ts';
import { loadFft } from '../transform/fft.ts';
import { createSingingKernel, SINGING_SAMPLE_RATE } from './singing.ts';

const SECONDS = 10;
const parts = knownParts(SECONDS);
const band = add(parts.drums, parts.bass, parts.other);

function singingIn(mono: Float32Array): Float32Array {
  const kernel = createSingingKernel();
  kernel.push(mono);
  const found = kernel.finish();
  kernel.dispose();
  return found;
}

/** Returns one channel at 22,050 Hz. */
function toRate(samples: Float32Array): Float32Array {
  const resampler = createResampler({ fromRate: 44_100, toRate: SINGING_SAMPLE_RATE, channels: 1 });
  const blocks = [resampler.process([samples]), resampler.flush()].map(([mono]) => Array.from(mono ?? []));
  return Float32Array.from(blocks.flat());
}

const mean = (values: Float32Array): number => values.reduce((sum, value) => sum + value, 0) / values.length;

describe('singing detection', () => {
  before(() => loadFft());

  it('detects partials that glide together, alone and over a band', () => {
    const alone = singingIn(toRate(parts.vocals.left));
    assert.equal(alone.length, SECONDS);
    assert.ok(mean(alone) > 0.8, `${mean(alone)} alone`);
    const over = singingIn(toRate(add(parts.vocals, band).left));
    assert.ok(mean(over) > 0.5, `${mean(over)} over a band`);
  });

  it('detects no singing in the band without the voice', () => {
    const found = singingIn(toRate(band.left));
    assert.ok(mean(found) < 0.3, `${mean(found)}`);
  });

  it('returns 0 for silence and a held tone, a low value for noise, and no values for empty input', () => {
    let state = 7;
    const make = (wave: (seconds: number) => number): Float32Array =>
      Float32Array.from({ length: 3 * SINGING_SAMPLE_RATE }, (_, n) => wave(n / SINGING_SAMPLE_RATE));
    const noise = make(() => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 31 - 1);
    for (const samples of [make(() => 0), make((time) => 0.5 * Math.sin(2 * Math.PI * 440 * time))])
      assert.deepEqual([...singingIn(samples)], [0, 0, 0]);
    assert.ok(mean(singingIn(noise)) < 0.2, `${mean(singingIn(noise))} in noise`);
    assert.deepEqual([...singingIn(new Float32Array(0))], []);
  });
});
