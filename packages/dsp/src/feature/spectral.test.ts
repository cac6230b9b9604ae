import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadFft } from '../transform/fft.ts';
import { hzToMel, melToHz } from '../units.ts';
import { createMfccKernel } from './mfcc.ts';
import { measureSpectralShape } from './spectral.ts';
import { createSpectralContrast } from './spectral-contrast.ts';
import { createSpectralTrackKernel } from './spectral-track.ts';
import { zeroCrossingRate } from './zero-crossings.ts';

const RATE = 22_050;

describe('spectral shape', () => {
  it('has its centroid half-way between two equal lines', () => {
    const magnitude = new Float32Array(101);
    magnitude[20] = 1;
    magnitude[60] = 1;
    const shape = { centroidHz: 0, bandwidthHz: 0, rolloffHz: 0 };
    measureSpectralShape(magnitude, 10, shape);
    assert.deepEqual(shape, { centroidHz: 400, bandwidthHz: 200, rolloffHz: 600 });
  });

  it('is 0 for silence', () => {
    const shape = { centroidHz: 1, bandwidthHz: 1, rolloffHz: 1 };
    measureSpectralShape(new Float32Array(101), 10, shape);
    assert.deepEqual(shape, { centroidHz: 0, bandwidthHz: 0, rolloffHz: 0 });
  });
});

describe('spectral contrast', () => {
  it('is the level difference between a line and the floor, only in the band of the line', () => {
    const magnitude = new Float32Array(1025).fill(0.01);
    const contrast = new Float32Array(7);
    // Bin 70 is 754 Hz: in the band of 400 to 800 Hz, 39 bins of which one counts as peak and one as valley.
    magnitude[70] = 1;
    createSpectralContrast(2048, RATE)(magnitude, contrast);
    assert.deepEqual([...contrast].map(Math.round), [0, 0, 20, 0, 0, 0, 0]);
  });
});

describe('mel-frequency cepstral coefficients', () => {
  it('match their definition band by band', () => {
    const power = Float32Array.from({ length: 1025 }, (_, bin) => 1 + Math.sin(bin) ** 2 + 100 / (bin + 1));
    const kernel = createMfccKernel({ sampleRate: RATE, fftSize: 2048 });
    kernel.add(power);
    const actual = kernel.take();
    const step = hzToMel(RATE / 2) / 129;
    const decibels = Array.from({ length: 128 }, (_, band) => {
      const [low, centre, high] = [band, band + 1, band + 2].map((index) => melToHz(index * step));
      let sum = 0;
      for (let bin = 0; bin <= 1024; bin++) {
        const hz = (bin * RATE) / 2048;
        const slope = Math.min(
          (hz - (low ?? 0)) / ((centre ?? 0) - (low ?? 0)),
          ((high ?? 0) - hz) / ((high ?? 0) - (centre ?? 0)),
        );
        sum += (Math.max(0, slope) * 2 * (power[bin] ?? 0)) / ((high ?? 0) - (low ?? 0));
      }
      return 10 * Math.log10(Math.max(1e-10, sum));
    });
    actual.forEach((value, k) => {
      const expected = decibels.reduce((sum, decibel, n) => {
        return (
          sum + Math.sqrt((k === 0 ? 1 : 2) / 128) * Math.cos((Math.PI * k * (2 * n + 1)) / 256) * decibel
        );
      }, 0);
      assert.ok(Math.abs(value - expected) < 1e-2, `coefficient ${k}: ${value} is not ${expected}`);
    });
    assert.ok(
      kernel.take().every((value) => value === 0),
      'nothing was added since',
    );
  });
});

describe('timbre of a track', () => {
  before(() => loadFft());

  it('of a sine has its centroid at the sine and two zero crossings per cycle', () => {
    const samples = Float32Array.from(
      { length: 4 * RATE },
      (_, n) => 0.5 * Math.sin((2 * Math.PI * 1000 * n) / RATE),
    );
    const kernel = createSpectralTrackKernel({ sampleRate: RATE, shape: true, mfcc: true });
    kernel.push(samples);
    const means = kernel.finish();
    kernel.dispose();
    assert.ok(Math.abs(means.centroidHz - 1000) < 20, `${means.centroidHz} Hz`);
    assert.ok(Math.abs(means.zeroCrossingRate - 2000 / RATE) < 0.002);
    assert.equal(means.mfcc.length, 1 + Math.floor(samples.length / 2048));
  });

  it('counts a sign change between adjacent samples as a zero crossing', () => {
    assert.equal(zeroCrossingRate(Float32Array.of(1, -1, 1, 1)), 0.5);
    assert.equal(zeroCrossingRate(new Float32Array(0)), 0);
  });
});
