import assert from 'node:assert/strict';
import { before, describe, it } from 'node:test';
import { createRandom } from '../synth/random.ts';
import { createComplexFft } from './complex-fft.ts';
import { createRealFft, loadFft } from './fft.ts';

function noise(length: number, seed: number): Float64Array {
  const random = createRandom(seed);
  return Float64Array.from({ length }, () => Math.fround(2 * random() - 1));
}

function put(order: Uint16Array, values: Float64Array): Float64Array {
  const shuffled = new Float64Array(values.length);
  values.forEach((value, n) => {
    shuffled[order[n] ?? 0] = value;
  });
  return shuffled;
}

function largestGap(one: ArrayLike<number>, other: ArrayLike<number>): number {
  let gap = 0;
  for (let n = 0; n < one.length; n++) gap = Math.max(gap, Math.abs((one[n] ?? 0) - (other[n] ?? 0)));
  return gap;
}

describe('complex Fourier transform', () => {
  before(() => loadFft());

  for (const size of [4, 8, 16, 32, 128, 256]) {
    it(`of ${size} numbers matches the defining sum`, () => {
      const fft = createComplexFft(size);
      const [x, y] = [noise(size, 1), noise(size, 2)];
      const [re, im] = [put(fft.order, x), put(fft.order, y)];
      fft.transform(re, im);
      for (let k = 0; k < size; k++) {
        let [real, imaginary] = [0, 0];
        for (let n = 0; n < size; n++) {
          const angle = (-2 * Math.PI * k * n) / size;
          real += (x[n] ?? 0) * Math.cos(angle) - (y[n] ?? 0) * Math.sin(angle);
          imaginary += (x[n] ?? 0) * Math.sin(angle) + (y[n] ?? 0) * Math.cos(angle);
        }
        assert.ok(Math.hypot((re[k] ?? 0) - real, (im[k] ?? 0) - imaginary) < 1e-10, `bin ${k}`);
      }
    });
  }

  for (const size of [1024, 2048, 4096]) {
    it(`of ${size} numbers transforms two real signals at once, equal to PFFFT`, () => {
      const fft = createComplexFft(size);
      const [x, y] = [noise(size, 3), noise(size, 4)];
      const [re, im] = [put(fft.order, x), put(fft.order, y)];
      fft.transform(re, im);
      const real = createRealFft(size);
      for (const [sign, samples] of [
        [1, x],
        [-1, y],
      ] as const) {
        const [pr, pi] = [new Float32Array(real.binCount), new Float32Array(real.binCount)];
        real.forward(Float32Array.from(samples), pr, pi);
        for (let k = 1; k < size / 2; k++) {
          const [ar, ai] = [re[k] ?? 0, im[k] ?? 0];
          const [br, bi] = [re[size - k] ?? 0, -(im[size - k] ?? 0)];
          const [sr, si] = [(ar + sign * br) / 2, (ai + sign * bi) / 2];
          const [wr, wi] = sign === 1 ? [sr, si] : [si, -sr];
          assert.ok(Math.hypot(wr - (pr[k] ?? 0), wi - (pi[k] ?? 0)) < 1e-3, `bin ${k}`);
        }
      }
      real.dispose();
    });

    it(`of ${size} numbers is inverted by a second transform with real and imaginary parts swapped`, () => {
      const fft = createComplexFft(size);
      const [x, y] = [noise(size, 5), noise(size, 6)];
      const [re, im] = [put(fft.order, x), put(fft.order, y)];
      fft.transform(re, im);
      const [backIm, backRe] = [put(fft.order, re), put(fft.order, im)];
      fft.transform(backRe, backIm);
      assert.ok(
        largestGap(
          backIm.map((value) => value / size),
          x,
        ) < 1e-12,
      );
      assert.ok(
        largestGap(
          backRe.map((value) => value / size),
          y,
        ) < 1e-12,
      );
    });
  }

  it('rejects a size that is not a power of two from 4 to 65,536', () => {
    for (const size of [0, 2, 48, 131_072, Number.NaN]) {
      assert.throws(() => createComplexFft(size), /power of two, 4 to 65,536 \(got/);
    }
  });
});
