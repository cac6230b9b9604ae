import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readSampleFile, sampleName } from './read-sample-file.ts';

function audio(seconds: number, channels: number) {
  const length = Math.round(seconds * 48_000);
  return {
    sampleRate: 48_000,
    numberOfChannels: channels,
    length,
    getChannelData: (channel: number) => new Float32Array(length).fill(channel + 1),
  };
}

function file(size: number, name = 'kick.wav') {
  return { name, size, arrayBuffer: async () => new ArrayBuffer(0) };
}

test('takes the first two audio channels of a file; a mono one once', async () => {
  const stereo = await readSampleFile(file(100), async () => audio(1, 6));
  assert.deepEqual([stereo.left[0], stereo.right[0], stereo.sampleRateHz], [1, 2, 48_000]);
  const mono = await readSampleFile(file(100), async () => audio(1, 1));
  assert.equal(mono.left, mono.right);
});

test('refuses a file that is too large before it is read, and too long, empty and unreadable ones', async () => {
  const decode = async () => audio(1, 2);
  const unread = { ...file(20_000_000), arrayBuffer: () => assert.fail('it was read') };
  await assert.rejects(readSampleFile(unread, decode), /at most 16.0 MB \(“kick.wav” has 20.0 MB\)/);
  await assert.rejects(
    readSampleFile(file(1), async () => audio(95, 2)),
    /at most 30 s .* lasts 1:35/,
  );
  await assert.rejects(
    readSampleFile(file(1), async () => audio(0, 2)),
    /is empty/,
  );
  const broken = () => Promise.reject(new Error('EncodingError'));
  await assert.rejects(readSampleFile(file(1), broken), /no audio file that this browser can read/);
});

test('names a pad after its file', () => {
  assert.equal(sampleName('Big Horn.final.wav'), 'Big Horn.final');
  assert.equal(sampleName('.wav'), '.wav');
  assert.equal(sampleName(`${'x'.repeat(80)}.mp3`).length, 40);
});
