import assert from 'node:assert/strict';
import { test } from 'node:test';
import { decodeFile } from '@stem-studio/dsp/testing/audio-file';
import { MixRecording } from './mix-recording.ts';

test('a recorded mix is a 24-bit WAV file with every chunk in order', async () => {
  const recording = new MixRecording(44_100);
  const sampleOf = (n: number) => Math.fround(Math.sin(n * 0.01) * 0.9);
  let at = 0;
  for (let piece = 0; piece < 130; piece++) {
    const samples = Float32Array.from({ length: 64 }, (_, n) => sampleOf(at + n));
    recording.add({ samples });
    samples.fill(0);
    at += 64;
  }
  assert.equal(recording.seconds, at / 2 / 44_100);
  const bytes = new Uint8Array(await recording.toBlob().arrayBuffer());
  const { info, samples } = await decodeFile(bytes);
  assert.deepEqual([info.sample_rate, info.channels, samples[0]?.length], [44_100, 2, at / 2]);
  for (let n = 0; n < at / 2; n++) {
    assert.ok(Math.abs(samples[0]![n]! - sampleOf(2 * n)) < 2 ** -22, `left ${n}`);
    assert.ok(Math.abs(samples[1]![n]! - sampleOf(2 * n + 1)) < 2 ** -22, `right ${n}`);
  }
});
