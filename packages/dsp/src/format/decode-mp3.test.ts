import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestSong, decodeFile, encodeFile, signalToNoiseDb } from '../testing/audio-file.ts';
import { mp3FrameOffsets } from '../testing/mp3-frame-offsets.ts';
import { createMp3Encoder } from './encode-mp3.ts';

const rate = 44100;
const song = createTestSong(2 * rate + 17, rate);
const file = await encodeFile(
  await createMp3Encoder({ sampleRate: rate, channels: 2, bitrateKbps: 320 }),
  song,
);
const frameBytes = 1044;

test('decodes an MP3 with an Info frame gapless: exact length, no shift', async () => {
  for (const length of [1, 575, 1152, 2 * rate + 17]) {
    const wanted = createTestSong(length, rate);
    const encoder = await createMp3Encoder({ sampleRate: rate, channels: 2, bitrateKbps: 320 });
    const { samples, info, warnings } = await decodeFile(await encodeFile(encoder, wanted));
    assert.deepEqual(
      samples.map((part) => part.length),
      [length, length],
    );
    assert.equal(info.declared_frames, length);
    assert.deepEqual(warnings, []);
  }
  // A shift by a single sample would reduce the ratio to 20 dB.
  assert.ok(signalToNoiseDb(song, (await decodeFile(file)).samples) > 50);
});

test('decodes mono and lower sampling frequencies with their own rate and channels', async () => {
  for (const [sampleRate, channels] of [
    [22050, 1],
    [44100, 1],
    [48000, 2],
    [8000, 1],
  ] as const) {
    const wanted = createTestSong(sampleRate, sampleRate, channels);
    const encoder = await createMp3Encoder({ sampleRate, channels, bitrateKbps: 192 });
    const { samples, info } = await decodeFile(await encodeFile(encoder, wanted));
    assert.deepEqual([info.sample_rate, info.channels], [sampleRate, channels]);
    assert.deepEqual(
      samples.map((part) => part.length),
      wanted.map((part) => part.length),
    );
    assert.ok(
      signalToNoiseDb(wanted, samples) > 15,
      `${sampleRate} Hz: ${signalToNoiseDb(wanted, samples)} dB`,
    );
  }
});

test('keeps all samples of an MP3 without an Info frame', async () => {
  const { samples, info } = await decodeFile(file.subarray(frameBytes));
  assert.equal(info.declared_frames, null);
  assert.equal(info.bitrate, 320_000);
  assert.equal(samples[0]?.length, (mp3FrameOffsets(file).length - 1) * 1152);
});

test('decodes a truncated MP3 to its end without trimming and reports it', async () => {
  const half = file.subarray(0, Math.floor(file.length / 2) + 100);
  const { samples, warnings } = await decodeFile(half);
  const whole = mp3FrameOffsets(file).filter(
    (_, index, all) => (all[index + 1] ?? file.length) <= half.length && index > 0,
  );
  assert.equal(samples[0]?.length, whole.length * 1152 - 1105);
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['truncated'],
  );
  const part = song.map((all) => all.subarray(0, samples[0]?.length));
  assert.ok(signalToNoiseDb(part, samples) > 50);
});

test('detects by the Info frame that an MP3 was cut between frames', async () => {
  const { warnings } = await decodeFile(file.subarray(0, mp3FrameOffsets(file)[40]));
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['truncated'],
  );
});

test('skips other data between frames and reports damage', async () => {
  const at = mp3FrameOffsets(file)[30] ?? 0;
  const garbage = Buffer.alloc(5000, 'garbage \xff\xfb\x90', 'latin1');
  const { samples, warnings } = await decodeFile(
    Buffer.concat([file.subarray(0, at), garbage, file.subarray(at)]),
  );
  assert.deepEqual(
    warnings.map(({ code }) => code),
    ['damaged'],
  );
  assert.equal(samples[0]?.length, song[0]?.length);
});

test('accepts tags after the audio without a warning', async () => {
  const id3v1 = Buffer.concat([Buffer.from('TAG'), Buffer.alloc(125, 0x20)]);
  const ape = Buffer.concat([Buffer.from('APETAGEX'), Buffer.alloc(24)]);
  ape[12] = 32;
  for (const tail of [id3v1, Buffer.concat([ape, id3v1]), Buffer.alloc(3000)]) {
    const { samples, warnings } = await decodeFile(Buffer.concat([file, tail]));
    assert.deepEqual(warnings, []);
    assert.equal(samples[0]?.length, song[0]?.length);
  }
});

test('rejects an MP3 that ends inside its first audio frame as truncated', async () => {
  await assert.rejects(decodeFile(file.subarray(0, frameBytes + 500)), { code: 'truncated' });
  await assert.rejects(decodeFile(file.subarray(0, 500)), { code: 'truncated' });
});
