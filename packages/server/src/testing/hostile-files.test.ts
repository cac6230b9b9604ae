import assert from 'node:assert/strict';
import { test } from 'node:test';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { flacWithComments, mp3WithCover, silentFlac } from './hostile-files.ts';
import { testMp3 } from './test-audio.ts';

async function* chunksOf(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  for (let at = 0; at < bytes.length; at += 65_536) yield bytes.subarray(at, at + 65_536);
}

async function secondsOf(bytes: Uint8Array): Promise<number> {
  const source = await openAudio(chunksOf(bytes));
  let samples = 0;
  for await (const block of source.blocks) samples += block[0]?.length ?? 0;
  await source.close();
  return samples / source.info.sample_rate;
}

test('creates a valid FLAC file with an hour of silence in less than 50 kB', async () => {
  const file = silentFlac(3600);
  assert.ok(file.length < 50_000, `${file.length} bytes`);
  assert.equal(await secondsOf(silentFlac(5)), 5);
});

test('creates a valid FLAC file with many comments and their number', async () => {
  const file = flacWithComments(1000);
  assert.equal(await secondsOf(file), 1);
  const block = file.indexOf('A=B', 0, 'latin1') - 12;
  assert.deepEqual([file.readUInt32LE(block), file.readUInt32LE(block + 4)], [0, 1000]);
  assert.ok(flacWithComments(2_097_152).length > 14_680_000);
});

test('creates a valid MP3 file with a large cover in its tag', async () => {
  const plain = await secondsOf(await testMp3());
  assert.equal(await secondsOf(mp3WithCover(await testMp3(), 100_000)), plain);
});
