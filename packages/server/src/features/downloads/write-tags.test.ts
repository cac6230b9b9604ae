import assert from 'node:assert/strict';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import type { AudioEncoder } from '@stem-studio/dsp/format/audio-encoder';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { createFlacEncoder } from '@stem-studio/dsp/format/encode-flac';
import { createMp3Encoder } from '@stem-studio/dsp/format/encode-mp3';
import { parseFile } from 'music-metadata';
import { writeTags } from './write-tags.ts';

const cover = {
  bytes: Uint8Array.from(
    Buffer.from(
      'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==',
      'base64',
    ),
  ),
  mediaType: 'image/png',
};

async function fileOf(encoder: AudioEncoder, samples: number): Promise<Uint8Array> {
  const tone = Float32Array.from(
    { length: samples },
    (_, i) => 0.4 * Math.sin((2 * Math.PI * 440 * i) / 44_100),
  );
  const body = await encoder.encode([tone, tone]);
  const { tail, patches } = await encoder.finish();
  const bytes = new Uint8Array(body.length + tail.length);
  bytes.set(body);
  bytes.set(tail, body.length);
  for (const patch of patches) bytes.set(patch.bytes, patch.offset);
  return bytes;
}

async function countSamples(path: string): Promise<number> {
  const bytes = await readFile(path);
  const source = await openAudio(
    (async function* () {
      yield bytes;
    })(),
  );
  let samples = 0;
  for await (const block of source.blocks) samples += block[0]?.length ?? 0;
  return samples;
}

for (const [name, encoder] of [
  ['song.mp3', () => createMp3Encoder({ sampleRate: 44_100, channels: 2, bitrateKbps: 192 })],
  ['song.flac', () => createFlacEncoder({ sampleRate: 44_100, channels: 2, bitDepth: 16 })],
] as const) {
  test(`writes tags and cover into ${name} without losing a sample`, async (t) => {
    const folder = await mkdtemp(join(tmpdir(), 'tags-'));
    t.after(() => rm(folder, { recursive: true }));
    const path = join(folder, name);
    await writeFile(path, await fileOf(await encoder(), 44_100));
    await writeTags(path, {
      title: 'Ünï – 音',
      artist: 'Someone',
      album: 'Somewhere',
      genre: 'House',
      isrc: 'QZAAA2600001',
      cover,
    });
    const { common } = await parseFile(path);
    assert.equal(common.title, 'Ünï – 音');
    assert.equal(common.artist, 'Someone');
    assert.equal(common.album, 'Somewhere');
    assert.deepEqual(common.genre, ['House']);
    assert.deepEqual(common.isrc, ['QZAAA2600001']);
    assert.equal(common.picture?.[0]?.data.length, cover.bytes.length);
    assert.equal(await countSamples(path), 44_100);
  });
}
