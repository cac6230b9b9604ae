import assert from 'node:assert/strict';
import { test } from 'node:test';
import { downmixToStereo } from './downmix.ts';

const constantChannels = (channels: number) => Array.from({ length: channels }, () => Float32Array.of(1));
const only = (channels: number, index: number) =>
  Array.from({ length: channels }, (_, at) => Float32Array.of(at === index ? 1 : 0));

test('sends mono to both channels and keeps stereo', () => {
  assert.deepEqual(downmixToStereo([Float32Array.of(0.5, -1)]), [
    Float32Array.of(0.5, -1),
    Float32Array.of(0.5, -1),
  ]);
  const stereo = [Float32Array.of(1), Float32Array.of(2)];
  assert.deepEqual(downmixToStereo(stereo), stereo);
});

test('maps full scale in every audio channel to full scale without clipping', () => {
  for (let channels = 3; channels <= 8; channels++) {
    for (const side of downmixToStereo(constantChannels(channels)))
      assert.ok(Math.abs((side[0] ?? 0) - 1) < 1e-6, `${channels}`);
  }
});

test('mixes the centre of 5.1 to both channels 3 dB below left and drops low-frequency effects', () => {
  const [left] = downmixToStereo(only(6, 0));
  const [centreLeft, centreRight] = downmixToStereo(only(6, 2));
  assert.ok(Math.abs(20 * Math.log10((centreLeft[0] ?? 0) / (left[0] ?? 0)) + 3.01) < 0.01);
  assert.deepEqual(centreLeft, centreRight);
  assert.deepEqual(downmixToStereo(only(6, 3)), [Float32Array.of(0), Float32Array.of(0)]);
  assert.equal(downmixToStereo(only(6, 4))[1][0], 0);
});

test('rejects zero and nine audio channels', () => {
  assert.throws(() => downmixToStereo([]), /got 0\)/);
  assert.throws(() => downmixToStereo(constantChannels(9)), /got 9\)/);
});
