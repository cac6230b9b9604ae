import assert from 'node:assert/strict';
import { test } from 'node:test';
import { binCount, binHz, createSpectrogramTransform } from './stereo-spectrogram.ts';

const transform = await createSpectrogramTransform();

test('with all gains 1 the audio is reproduced within −110 dB, for any length', () => {
  for (const length of [1, 1000, 4096, 30_001]) {
    const left = Float32Array.from({ length }, (_, i) => Math.sin(i * 0.1) * 0.5);
    const right = Float32Array.from({ length }, (_, i) => Math.cos(i * 0.37) * 0.5);
    const spectrogram = transform.analyse(left, right);
    const gains = new Float32Array(spectrogram.frameCount * binCount).fill(1);
    const back = transform.synthesise(spectrogram, gains);
    for (let i = 0; i < length; i++) {
      assert.ok(Math.abs((back.left[i] as number) - (left[i] as number)) < 3e-6, `left ${length} ${i}`);
      assert.ok(Math.abs((back.right[i] as number) - (right[i] as number)) < 3e-6, `right ${length} ${i}`);
    }
  }
});

test('a sine on the left is at its frequency and not on the right', () => {
  const left = Float32Array.from({ length: 44_100 }, (_, i) => Math.sin((2 * Math.PI * 1000 * i) / 44_100));
  const { leftRe, leftIm, rightRe } = transform.analyse(left, new Float32Array(44_100));
  const frame = 20 * binCount;
  let peak = 0;
  const power = (k: number): number => (leftRe[frame + k] ?? 0) ** 2 + (leftIm[frame + k] ?? 0) ** 2;
  for (let k = 0; k < binCount; k++) if (power(k) > power(peak)) peak = k;
  assert.ok(Math.abs(peak * binHz - 1000) < binHz);
  assert.ok(rightRe.every((value) => value === 0));
});
