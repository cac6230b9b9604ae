import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import * as fc from 'fast-check';
import { type CrossfadeCurve, crossfadeGains } from './crossfade.ts';

const curves: readonly CrossfadeCurve[] = ['linear', 'constant power', 'sharp cut', 'slow fade'];
const anyPosition = fc.double({ min: -1, max: 1, noNaN: true });

for (const curve of curves) {
  describe(`the crossfader curve "${curve}"`, () => {
    it('passes only one side at each end and beyond it', () => {
      for (const end of [1, 1.5, Number.POSITIVE_INFINITY]) {
        assert.deepEqual(crossfadeGains(curve, -end), { a: 1, b: 0 });
        assert.deepEqual(crossfadeGains(curve, end), { a: 0, b: 1 });
      }
    });

    it('is symmetric, with equal gains at the centre', () => {
      fc.assert(
        fc.property(anyPosition, (position) => {
          const { a, b } = crossfadeGains(curve, position);
          assert.deepEqual(crossfadeGains(curve, -position), { a: b, b: a });
        }),
      );
      const { a, b } = crossfadeGains(curve, 0);
      assert.equal(a, b);
    });

    it('never raises the gain of A while moving towards B', () => {
      fc.assert(
        fc.property(anyPosition, anyPosition, (one, other) => {
          const early = crossfadeGains(curve, Math.min(one, other));
          const late = crossfadeGains(curve, Math.max(one, other));
          assert.ok(early.a >= late.a && early.b <= late.b);
          assert.ok(late.a >= 0 && early.a <= 1);
        }),
      );
    });
  });
}

describe('crossfader curves', () => {
  it('"constant power" keeps the power within 0.1 dB at every position', () => {
    for (let position = -1; position <= 1; position += 0.001) {
      const { a, b } = crossfadeGains('constant power', position);
      assert.ok(Math.abs(10 * Math.log10(a * a + b * b)) < 0.1, `at ${position}`);
    }
  });

  it('"linear" is a straight line', () => {
    assert.deepEqual(crossfadeGains('linear', -0.5), { a: 0.75, b: 0.25 });
    assert.deepEqual(crossfadeGains('linear', 0), { a: 0.5, b: 0.5 });
  });

  it('"sharp cut" completes the transition within the central 4 % of the travel', () => {
    assert.deepEqual(crossfadeGains('sharp cut', -0.04), { a: 1, b: 0 });
    assert.deepEqual(crossfadeGains('sharp cut', 0.04), { a: 0, b: 1 });
  });

  it('"slow fade" keeps both sides within 1.5 dB of the centre gain over half of the travel', () => {
    for (const position of [-0.5, -0.25, 0.25, 0.5]) {
      const { a, b } = crossfadeGains('slow fade', position);
      for (const gain of [a, b]) assert.ok(Math.abs(20 * Math.log10(gain / Math.SQRT1_2)) < 1.5);
    }
  });
});
