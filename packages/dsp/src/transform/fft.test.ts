import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createRealFft, loadFft } from './fft.ts';

function noise(length: number, seed = 1): Float32Array {
  let state = seed;
  return Float32Array.from({ length }, () => {
    state = (Math.imul(state, 1664525) + 1013904223) >>> 0;
    return state / 2 ** 31 - 1;
  });
}

describe('real Fourier transform', () => {
  before(() => loadFft());

  for (const size of [32, 96, 160, 256]) {
    it(`of ${size} samples matches the defining sum`, () => {
      const input = noise(size);
      const fft = createRealFft(size);
      const re = new Float32Array(fft.binCount);
      const im = new Float32Array(fft.binCount);
      fft.forward(input, re, im);
      for (let bin = 0; bin <= size / 2; bin++) {
        let real = 0;
        let imaginary = 0;
        for (let n = 0; n < size; n++) {
          real += (input[n] ?? 0) * Math.cos((2 * Math.PI * bin * n) / size);
          imaginary -= (input[n] ?? 0) * Math.sin((2 * Math.PI * bin * n) / size);
        }
        assert.ok(Math.abs((re[bin] ?? 0) - real) < 1e-4, `real part of bin ${bin}`);
        assert.ok(Math.abs((im[bin] ?? 0) - imaginary) < 1e-4, `imaginary part of bin ${bin}`);
      }
      fft.dispose();
    });
  }

  it('returns the original samples through its inverse', () => {
    const input = noise(2048);
    const fft = createRealFft(2048);
    const re = new Float32Array(1025);
    const im = new Float32Array(1025);
    const output = new Float32Array(2048);
    fft.forward(input, re, im);
    fft.inverse(re, im, output);
    const error = Math.max(...output.map((value, at) => Math.abs(value - (input[at] ?? 0))));
    assert.ok(error < 1e-5, `largest error ${error}`);
    fft.dispose();
  });

  it('keeps working when another transform makes the memory grow', () => {
    const small = createRealFft(64);
    const large = createRealFft(2 ** 22);
    const re = new Float32Array(33);
    small.forward(new Float32Array(64).fill(1), re, new Float32Array(33));
    assert.equal(re[0], 64);
    assert.ok(Math.abs(re[1] ?? 1) < 1e-5);
    large.dispose();
    small.dispose();
  });

  it('rejects unsupported sizes with an error that names the rule and the size', () => {
    for (const size of [0, 16, 33, 7 * 32, Number.NaN]) {
      assert.throws(() => createRealFft(size), /multiple of 32 with prime factors 2, 3 and 5 \(got/);
    }
  });

  it('rejects use after it was disposed', () => {
    const fft = createRealFft(32);
    fft.dispose();
    fft.dispose();
    assert.throws(
      () => fft.forward(new Float32Array(32), new Float32Array(17), new Float32Array(17)),
      /disposed/,
    );
  });
});
