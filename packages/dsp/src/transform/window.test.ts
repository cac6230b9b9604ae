import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { hannWindow } from './window.ts';

describe('window functions', () => {
  it('Hann windows at a hop of a quarter sum to 2, and their squares to 1.5', () => {
    const window = hannWindow(64);
    for (let at = 0; at < 16; at++) {
      const values = [0, 1, 2, 3].map((k) => window[at + 16 * k] ?? 0);
      assert.ok(Math.abs(values.reduce((sum, value) => sum + value, 0) - 2) < 1e-6);
      assert.ok(Math.abs(values.reduce((sum, value) => sum + value * value, 0) - 1.5) < 1e-6);
    }
  });
});
