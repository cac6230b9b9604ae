import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestSong, encodeFile } from '../testing/audio-file.ts';
import { mp3FrameOffsets } from '../testing/mp3-frame-offsets.ts';
import { createMp3Encoder } from './encode-mp3.ts';
import { createMp3FrameDecoder, ROTATION_FRAMES } from './mp3-frame-decoder.ts';
import { type Mp3FrameHeader, parseMp3FrameHeader } from './mp3-frame-header.ts';

const encoder = await createMp3Encoder({ sampleRate: 44_100, channels: 2, bitrateKbps: 320 });
const file = await encodeFile(encoder, createTestSong(60_000, 44_100));
const offsets = mp3FrameOffsets(file);
const frames = offsets.map((offset, index) => file.subarray(offset, offsets[index + 1]));
const header = parseMp3FrameHeader(file, 0) as Mp3FrameHeader;

test('decodes every frame to its samples for any batch size', async () => {
  const whole = await (await createMp3FrameDecoder(header)).decode(frames.slice(1));
  assert.equal(whole.damagedFrames, 0);
  assert.equal(whole.block[0]?.length, (frames.length - 1) * header.frameSamples);
  const decoder = await createMp3FrameDecoder(header);
  for (let index = 1; index < frames.length; index++) {
    const { block } = await decoder.decode(frames.slice(index, index + 1));
    const from = (index - 1) * header.frameSamples;
    assert.deepEqual(block[1], whole.block[1]?.subarray(from, from + header.frameSamples));
  }
});

test('replaces an undecodable frame by silence and keeps the positions of all others', async (t) => {
  const print = t.mock.method(globalThis.console, 'error', () => undefined);
  const damaged = frames.slice(1);
  const at = 2 * ROTATION_FRAMES;
  damaged[at] = new Uint8Array(1044);
  const whole = await (await createMp3FrameDecoder(header)).decode(frames.slice(1));
  const { block, damagedFrames } = await (await createMp3FrameDecoder(header)).decode(damaged);
  const samples = (part: Float32Array[], frame: number) =>
    part[0]?.subarray(frame * header.frameSamples, (frame + 1) * header.frameSamples);
  assert.equal(damagedFrames, 1);
  assert.deepEqual(samples(block, at), new Float32Array(header.frameSamples));
  assert.deepEqual(samples(block, at - 1), samples(whole.block, at - 1));
  const energy = samples(block, at + 4)?.reduce((sum, sample) => sum + sample ** 2, 0) ?? 0;
  const wanted = samples(whole.block, at + 4)?.reduce((sum, sample) => sum + sample ** 2, 0) ?? 0;
  assert.ok(Math.abs(energy / wanted - 1) < 0.001, `${energy} of ${wanted}`);
  assert.equal(print.mock.callCount(), 0);
});
