import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { loadFft } from './fft.ts';
import { createPowerSpectra, type PowerSpectrum } from './power-spectra.ts';
import { hannWindow } from './window.ts';

const ramp = Float32Array.from({ length: 1000 }, (_, n) => Math.sin(n * 0.37) + 0.3 * Math.cos(n * 1.7));

describe('power spectra of a stream', () => {
  before(() => loadFft());

  it('returns 1 + floor(n / hop) spectra, the first centred on the first sample', () => {
    const spectra = createPowerSpectra({ size: 64, hop: 16, window: hannWindow(64) });
    const sums: number[] = [];
    const listen = ({ magnitude }: PowerSpectrum): void => void sums.push(magnitude[0] ?? 0);
    spectra.push(Float32Array.of(1), listen);
    spectra.push(new Float32Array(63), listen);
    spectra.finish(listen);
    assert.equal(sums.length, 1 + 4);
    assert.ok(Math.abs((sums[0] ?? 0) - 1) < 1e-6, 'the window is 1 at its centre');
    assert.ok(Math.abs((sums[1] ?? 0) - 0.5) < 1e-6, 'a quarter of the window later it is 0.5');
    spectra.dispose();
  });

  it('does not depend on the block size', () => {
    const collect = (blockSize: number): number[] => {
      const spectra = createPowerSpectra({ size: 64, hop: 24, window: hannWindow(64) });
      const values: number[] = [];
      const listen = ({ power, magnitude }: PowerSpectrum): void =>
        void values.push(power[5] ?? 0, magnitude[9] ?? 0);
      for (let at = 0; at < ramp.length; at += blockSize)
        spectra.push(ramp.subarray(at, at + blockSize), listen);
      spectra.finish(listen);
      spectra.dispose();
      return values;
    };
    assert.deepEqual(collect(7), collect(1000));
  });

  it('returns no spectrum for empty input', () => {
    const spectra = createPowerSpectra({ size: 64, hop: 16, window: hannWindow(64) });
    spectra.finish(() => assert.fail('a spectrum of nothing'));
    spectra.dispose();
  });

  it('rejects a window of another size, and a hop longer than a frame', () => {
    assert.throws(
      () => createPowerSpectra({ size: 64, hop: 16, window: hannWindow(32) }),
      /64 factors \(got 32\)/,
    );
    const window = hannWindow(64);
    assert.throws(() => createPowerSpectra({ size: 64, hop: 65, window }), /1 to 64 samples \(got 65\)/);
  });
});
