import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { besselI0, hannWindow, kaiserWindow, sineWindow } from './window.ts';

describe('windows', () => {
  it('Hann at a quarter of its size sums to 2, and its square to 1.5', () => {
    const window = hannWindow(64);
    for (let at = 0; at < 16; at++) {
      const values = [0, 1, 2, 3].map((k) => window[at + 16 * k] ?? 0);
      assert.ok(Math.abs(values.reduce((sum, value) => sum + value, 0) - 2) < 1e-6);
      assert.ok(Math.abs(values.reduce((sum, value) => sum + value * value, 0) - 1.5) < 1e-6);
    }
  });

  it('the sine window squared is the Hann window', () => {
    const hann = hannWindow(50);
    sineWindow(50).forEach((value, at) => assert.ok(Math.abs(value * value - (hann[at] ?? 0)) < 1e-6));
  });

  it('Kaiser is 1 in the middle, symmetric, and 1/I0(beta) at its ends', () => {
    const window = kaiserWindow(101, 8.6);
    assert.ok(Math.abs((window[50] ?? 0) - 1) < 1e-7);
    assert.ok(Math.abs((window[0] ?? 0) - 1 / besselI0(8.6)) < 1e-7);
    assert.equal(window[10], window[90]);
    assert.deepEqual([...kaiserWindow(5, 0)], [1, 1, 1, 1, 1]);
  });

  it('I0 has the values of the tables', () => {
    assert.ok(Math.abs(besselI0(1) - 1.2660658777520084) < 1e-12);
    assert.ok(Math.abs(besselI0(5) - 27.239871823604442) < 1e-10);
  });
});
