import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hzToMel, melToHz } from '../units.ts';
import { createDct } from './dct.ts';
import { createMelFilterBank } from './mel.ts';

describe('mel bands', () => {
  it('follow the Slaney scale: 15 at 1 kHz, 42 at 6.4 kHz', () => {
    assert.ok(Math.abs(hzToMel(1000) - 15) < 1e-9);
    assert.ok(Math.abs(hzToMel(6400) - 42) < 1e-9);
    for (const hz of [0, 60, 999, 1001, 11025]) assert.ok(Math.abs(melToHz(hzToMel(hz)) - hz) < 1e-6);
  });

  it('are triangles of unit area in Hz, as defined', () => {
    const bank = createMelFilterBank({ sampleRate: 22050, fftSize: 2048, bandCount: 128 });
    const step = hzToMel(11025) / 129;
    const edge = (index: number): number => melToHz(index * step);
    const power = new Float32Array(1025);
    const bands = new Float32Array(128);
    for (const bin of [3, 40, 200, 900]) {
      power.fill(0);
      power[bin] = 1;
      bank.apply(power, bands);
      const hz = (bin * 22050) / 2048;
      for (let band = 0; band < 128; band++) {
        const [low, centre, high] = [edge(band), edge(band + 1), edge(band + 2)];
        const slope = Math.max(0, Math.min((hz - low) / (centre - low), (high - hz) / (high - centre)));
        assert.ok(
          Math.abs((bands[band] ?? 0) - (2 * slope) / (high - low)) < 1e-7,
          `bin ${bin}, band ${band}`,
        );
      }
    }
  });

  it('reject edges above half the sample rate', () => {
    const options = { sampleRate: 22050, fftSize: 2048, bandCount: 4 };
    assert.throws(
      () => createMelFilterBank({ ...options, maxHz: 12_000 }),
      /0 to 11025 Hz \(got 0 to 12000\)/,
    );
  });
});

describe('cosine transform', () => {
  it('preserves the energy, and maps a constant to the first coefficient only', () => {
    const dct = createDct(16, 16);
    const output = new Float32Array(16);
    dct(new Float32Array(16).fill(3), output);
    assert.ok(Math.abs((output[0] ?? 0) - 12) < 1e-5);
    assert.ok(output.subarray(1).every((value) => Math.abs(value) < 1e-5));
    const input = Float32Array.from({ length: 16 }, (_, n) => Math.sin(n * n));
    dct(input, output);
    const energy = (values: Float32Array): number => values.reduce((sum, value) => sum + value * value, 0);
    assert.ok(Math.abs(energy(input) - energy(output)) < 1e-4);
  });

  it('rejects more coefficients than inputs', () => {
    assert.throws(() => createDct(8, 9), /1 to 8 coefficients \(got 9\)/);
  });
});
