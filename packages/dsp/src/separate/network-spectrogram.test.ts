import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  createNetworkSpectrogram,
  networkBinCount,
  networkFrameCount,
  networkSegmentSamples,
  networkSpectrogramSize,
} from './network-spectrogram.ts';

function noise(seed: number): Float32Array {
  let state = seed;
  return Float32Array.from({ length: networkSegmentSamples }, () => {
    state = (state * 48_271) % 2_147_483_647;
    return state / 1_073_741_823.5 - 1;
  });
}

/** One bin of one frame by its definition: mirrored ends, periodic Hann, divided by 64. */
function binOf(side: Float32Array, bin: number, frame: number): [number, number] {
  let re = 0;
  let im = 0;
  for (let i = 0; i < 4096; i++) {
    let at = frame * 1024 - 1536 + i;
    if (at < 0) at = -at;
    if (at >= side.length) at = 2 * (side.length - 1) - at;
    const window = 0.5 - 0.5 * Math.cos((2 * Math.PI * i) / 4096);
    const value = (window * (side[at] as number)) / 64;
    const angle = (2 * Math.PI * ((bin * i) % 4096)) / 4096;
    re += value * Math.cos(angle);
    im -= value * Math.sin(angle);
  }
  return [re, im];
}

test('each bin equals its definition within 1e-5, also in the first and last frame', async () => {
  const sides = [noise(1), noise(2)] as const;
  const spectrum = new Float32Array(networkSpectrogramSize);
  (await createNetworkSpectrogram()).analyse(sides[0], sides[1], spectrum);
  for (const [bin, frame] of [
    [0, 0],
    [1, 0],
    [2047, 0],
    [440, 17],
    [1000, 200],
    [3, 334],
    [99, 335],
    [2047, 335],
  ] as const) {
    for (const [index, side] of sides.entries()) {
      const [re, im] = binOf(side, bin, frame);
      for (const [part, wanted] of [re, im].entries()) {
        const at = ((2 * index + part) * networkBinCount + bin) * networkFrameCount + frame;
        const got = spectrum[at] as number;
        assert.ok(Math.abs(got - wanted) < 1e-5, `bin ${bin}, frame ${frame}: ${got} for ${wanted}`);
      }
    }
  }
});

test('audio without energy at Nyquist is reproduced within 1e-5, away from the ends', async () => {
  const tone = Float32Array.from({ length: networkSegmentSamples }, (_, i) =>
    Math.sin((2 * Math.PI * 997 * i) / 44_100),
  );
  const silence = new Float32Array(networkSegmentSamples);
  const spectrum = new Float32Array(networkSpectrogramSize);
  const spectrogram = await createNetworkSpectrogram();
  spectrogram.analyse(tone, silence, spectrum);
  const left = new Float32Array(networkSegmentSamples).fill(0.25);
  const right = new Float32Array(networkSegmentSamples);
  spectrogram.addSynthesis(spectrum, left, right);
  for (let i = 2560; i < networkSegmentSamples - 2560; i++) {
    const wanted = (tone[i] as number) + 0.25;
    if (Math.abs((left[i] as number) - wanted) > 1e-5) assert.fail(`sample ${i}: ${left[i]} for ${wanted}`);
  }
  assert.ok(right.every((value) => value === 0));
});
