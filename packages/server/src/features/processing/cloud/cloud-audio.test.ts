import assert from 'node:assert/strict';
import { readFile } from 'node:fs/promises';
import { test } from 'node:test';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { createTestSong, decodeFile, encodeFile } from '@stem-studio/dsp/testing/audio-file';
import { openCloudLibrary } from '../../../testing/cloud-steps.ts';
import { standInResidualDb } from '../../../testing/stand-ins/cloud-data.ts';
import { testMp3 } from '../../../testing/test-audio.ts';

test('returns aligned stems of an MP3 and of audio beyond full scale by sending our own scaled decoding', async (t) => {
  const { library, separated } = await openCloudLibrary(t);
  const mp3 = await separated((await library.addTrack(await testMp3({ seconds: 2 }), 'song.mp3')).id);
  assert.equal(mp3.cloud?.residual_db, standInResidualDb);
  const loud = createTestSong(44_100, 44_100).map((all) => all.map((sample) => 4 * sample));
  const shape = { sampleRate: 44_100, channels: 2, bitDepth: '32f' } as const;
  const file = await encodeFile(createWavEncoder(shape), loud);
  const job = await separated((await library.addTrack(file, 'loud.wav')).id);
  assert.equal(job.cloud?.residual_db, standInResidualDb);
  const vocals = job.stems.find((stem) => stem.stem_type === 'vocals');
  const peak = Math.max(...loud.flatMap((all) => [...all].map(Math.abs)));
  assert.ok(Math.abs((vocals?.peak ?? 0) - 0.2 * peak) < 0.001, `${vocals?.peak}`);
  // Even the loudest stem is within full scale: 16 bits suffice.
  assert.ok(job.stems.every((stem) => stem.peak <= 1));
});

test('writes all stems as 32f when one exceeds full scale', async (t) => {
  const { library, separated } = await openCloudLibrary(t);
  const loud = createTestSong(44_100, 44_100).map((all) => all.map((sample) => 8 * sample));
  const shape = { sampleRate: 44_100, channels: 2, bitDepth: '32f' } as const;
  const file = await encodeFile(createWavEncoder(shape), loud);
  const job = await separated((await library.addTrack(file, 'loud.wav')).id, {
    stem_types: ['vocals', 'wind'],
  });
  assert.ok((job.stems[0]?.peak ?? 0) > 1, `${job.stems[0]?.peak}`);
  for (const stem of job.stems) {
    const { info } = await decodeFile(await readFile(library.context.files.absolute(stem.file_path)));
    assert.equal(info.bits_per_sample, 32);
  }
});

test('writes silence with a warning for stems that the service does not detect', async (t) => {
  const { cloud, addTrack, separated } = await openCloudLibrary(t);
  cloud.behaviour.absent = ['vocals@1'];
  cloud.behaviour.failing = { wind: 'Unable to detect wind in the uploaded files' };
  const job = await separated((await addTrack()).id);
  assert.equal(job.status, 'completed');
  const silent = job.stems.filter((stem) => stem.peak === 0).map((stem) => stem.stem_type);
  assert.deepEqual(silent, ['wind', 'backing_vocals']);
  assert.equal(job.cloud?.warnings.length, 2);
  assert.match(job.cloud.warnings.join(' '), /backing vocals: none was detected by the cloud service/);
});

test('pays only for missing stems on a retry', async (t) => {
  const { cloud, addTrack, separated, retried } = await openCloudLibrary(t);
  cloud.behaviour.failing = { wind: 'The model fell over' };
  const failed = await separated((await addTrack()).id, { stem_types: ['synth', 'wind'] });
  assert.equal(failed.status, 'failed');
  assert.match(failed.error ?? '', /could not separate wind: “The model fell over”/);
  cloud.behaviour.failing = {};
  const job = await retried(failed.id);
  assert.deepEqual([job.status, job.stems.length], ['completed', 2]);
  assert.deepEqual(
    [...cloud.tasks.values()].map(({ order }) => order.labels.join()),
    ['synthesizer', 'wind', 'wind'],
  );
  assert.equal(cloud.requests.filter(({ path }) => path.endsWith('/upload/')).length, 1);
});
