import assert from 'node:assert/strict';
import { describe, it } from 'node:test';
import { onsetInWindow } from './onset-in-window.ts';

const rateHz = 44_100;
const windowFrames = 0.12 * rateHz;

/** Returns the same noise in each run, −1 to 1 (a linear congruential generator). */
function createNoise(): () => number {
  let state = 11;
  return () => {
    state = (Math.imul(state, 1_664_525) + 1_013_904_223) >>> 0;
    return state / 2 ** 31 - 1;
  };
}

describe('onset in a window', () => {
  it('is found within a millisecond, over the decay of the one before and a steady tone', () => {
    const noise = createNoise();
    for (const at of [700, 1801, 2900, 4444]) {
      const samples = Float32Array.from({ length: windowFrames }, (_, n) => {
        const tone = 0.1 * Math.sin((2 * Math.PI * 110 * n) / rateHz);
        const before = 0.05 * Math.exp(-n / 2000) * noise();
        return tone + before + (n >= at ? 0.5 * Math.exp(-(n - at) / 900) * noise() : 0);
      });
      const found = onsetInWindow(samples);
      assert.ok(found !== null && Math.abs(found - at) <= rateHz / 1000, `${found} for ${at}`);
    }
  });

  it('is the first frame of a click in silence, whatever its level', () => {
    for (const gain of [1, 0.01]) {
      const samples = new Float32Array(windowFrames);
      samples.fill(gain, 2000, 2040);
      assert.equal(onsetInWindow(samples), 2000);
    }
  });

  it('is null for silence, a steady tone, a decay, and a window that is too short', () => {
    assert.equal(onsetInWindow(new Float32Array(windowFrames)), null);
    const tone = Float32Array.from({ length: windowFrames }, (_, n) =>
      Math.sin((2 * Math.PI * 440 * n) / rateHz),
    );
    assert.equal(onsetInWindow(tone), null);
    const noise = createNoise();
    const decay = Float32Array.from({ length: windowFrames }, (_, n) => Math.exp(-n / 500) * noise());
    assert.equal(onsetInWindow(decay), null);
    assert.equal(onsetInWindow(new Float32Array(100).fill(1, 50)), null);
  });
});
