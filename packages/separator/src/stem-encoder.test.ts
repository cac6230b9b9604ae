import assert from 'node:assert/strict';
import { test } from 'node:test';
import { encodeBlock, type StemBlock, widenToFloat } from './stem-encoder.ts';

function block(gain: number, frames = 500): StemBlock {
  const wave = (hz: number): Float32Array =>
    Float32Array.from({ length: frames }, (_, i) => gain * Math.sin(i * hz));
  return {
    frames,
    mixture: [wave(0.31), wave(0.32)],
    estimates: [
      [wave(0.11), wave(0.12)],
      [wave(0.71), wave(0.72)],
      [wave(0.05), wave(0.06)],
    ],
  };
}

test('the integers of the four stems sum exactly to the rounded mixture', () => {
  const audio = block(0.2);
  for (const [depth, scale, bytes] of [
    ['16', 32_768, 2],
    ['24', 8_388_608, 3],
  ] as const) {
    const { buffers, fits } = encodeBlock(audio, depth);
    assert.equal(fits, true);
    assert.equal(buffers.length, 4);
    for (let i = 0; i < 2 * audio.frames; i++) {
      const sum = buffers.reduce((total, buffer) => total + buffer.readIntLE(i * bytes, bytes), 0);
      assert.equal(sum, Math.round((audio.mixture[i % 2]?.[i >> 1] as number) * scale));
    }
  }
});

test('floats store the estimates unchanged and the residual within one rounding', () => {
  const audio = block(0.9);
  const { buffers } = encodeBlock(audio, '32f');
  for (let i = 0; i < 2 * audio.frames; i++) {
    assert.equal(buffers[0]?.readFloatLE(i * 4), audio.estimates[0]?.[i % 2 === 0 ? 0 : 1][i >> 1]);
    const sum = buffers.reduce((total, buffer) => total + buffer.readFloatLE(i * 4), 0);
    assert.ok(Math.abs(sum - (audio.mixture[i % 2]?.[i >> 1] as number)) <= 2 ** -22);
  }
});

test('a stem beyond full scale does not fit integers, and its peak tells by how much', () => {
  const { fits, peaks } = encodeBlock(block(1.5), '16');
  assert.equal(fits, false);
  assert.ok(Math.abs((peaks[0] as number) - 1.5) < 0.01);
});

test('integers are converted to floats of the same value', () => {
  const samples = Buffer.alloc(6);
  samples.writeInt16LE(-32_768, 0);
  samples.writeInt16LE(16_384, 2);
  samples.writeInt16LE(1, 4);
  const floats = widenToFloat(samples, '16');
  assert.deepEqual(
    [floats.readFloatLE(0), floats.readFloatLE(4), floats.readFloatLE(8)],
    [-1, 0.5, 2 ** -15],
  );
});
