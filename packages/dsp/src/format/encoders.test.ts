import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createTestSong, decodeFile, encodeFile, signalToNoiseDb } from '../testing/audio-file.ts';
import { crc16Reflected } from './checksum.ts';
import { createFlacEncoder } from './encode-flac.ts';
import { createMp3Encoder } from './encode-mp3.ts';
import { createWavEncoder } from './encode-wav.ts';
import { createWavHeader } from './wav-file-header.ts';

const song = createTestSong(10_007, 44100);
const ascii = (bytes: Uint8Array, from: number, length: number) =>
  Buffer.from(bytes).toString('latin1', from, from + length);

test('keeps every sample in WAV of 32-bit float and rounds to the nearest step at 16 and 24 bits', async () => {
  for (const [bitDepth, bits] of [
    ['16', 16],
    ['24', 24],
  ] as const) {
    const decoded = await decodeFile(
      await encodeFile(createWavEncoder({ sampleRate: 44100, channels: 2, bitDepth }), song),
    );
    const worst = Math.max(
      ...song.map((part, index) =>
        Math.max(...part.map((s, i) => Math.abs(s - (decoded.samples[index]?.[i] ?? 9)))),
      ),
    );
    // Float samples below 1 have a resolution of 2^-25 themselves.
    assert.ok(worst <= 2 ** -bits + 2 ** -26, `${bitDepth}: ${worst}`);
  }
  const float = await decodeFile(
    await encodeFile(createWavEncoder({ sampleRate: 44100, channels: 2, bitDepth: '32f' }), song),
  );
  assert.deepEqual(float.samples, song);
});

test('restores 16-bit audio from 16-bit WAV byte for byte and clips beyond full scale', async () => {
  const samples = [Float32Array.of(-1, 32767 / 32768, 1, 7, -7, 1 / 32768, -0.00001)];
  const file = await encodeFile(
    createWavEncoder({ sampleRate: 8000, channels: 1, bitDepth: '16', expectedFrames: 7 }),
    samples,
  );
  assert.deepEqual([...new Int16Array(file.slice(44).buffer)], [-32768, 32767, 32767, 32767, -32768, 1, 0]);
});

test('writes a WAV of known length without a patch and with a header of 44 bytes', async () => {
  const encoder = createWavEncoder({
    sampleRate: 44100,
    channels: 2,
    bitDepth: '16',
    expectedFrames: 10_007,
  });
  const bytes = await encoder.encode(song);
  const { tail, patches } = await encoder.finish();
  assert.equal(bytes.length + tail.length, 44 + 10_007 * 4);
  assert.deepEqual(patches, []);
  assert.equal((await decodeFile(bytes)).info.declared_frames, 10_007);
});

test('patches a WAV of another length than expected to the actual length', async () => {
  for (const expectedFrames of [0, 5, 20_000, undefined]) {
    const encoder = createWavEncoder({ sampleRate: 44100, channels: 2, bitDepth: '24', expectedFrames });
    const { info, warnings } = await decodeFile(await encodeFile(encoder, song));
    assert.equal(info.declared_frames, 10_007);
    assert.deepEqual(warnings, []);
  }
});

test('writes a WAV beyond 4 GB as RF64, with a ds64 chunk in place of JUNK', () => {
  const shape = { sampleRate: 44100, channels: 2, bitDepth: '16' } as const;
  const short = createWavHeader(shape, 1000, true);
  const long = createWavHeader(shape, 2 ** 30, true);
  assert.equal(short.length, long.length);
  assert.deepEqual([ascii(short, 0, 4), ascii(short, 12, 4)], ['RIFF', 'JUNK']);
  assert.deepEqual([ascii(long, 0, 4), ascii(long, 12, 4)], ['RF64', 'ds64']);
  const view = new DataView(long.buffer);
  assert.equal(view.getUint32(4, true), 0xffffffff);
  assert.equal(view.getBigUint64(20, true), BigInt(long.length - 8) + 2n ** 32n);
  assert.equal(view.getBigUint64(28, true), 2n ** 32n);
  assert.equal(view.getBigUint64(36, true), 2n ** 30n);
});

test('rejects a block of another shape', async () => {
  const encoder = createWavEncoder({ sampleRate: 44100, channels: 2, bitDepth: '16' });
  assert.throws(() => encoder.encode([new Float32Array(3)]), /2 arrays of one length \(got lengths 3\)/);
  assert.throws(() => encoder.encode([new Float32Array(3), new Float32Array(4)]), /got lengths 3, 4\)/);
});

test('writes frame count, byte count and valid checksums to the Info frame of an MP3', async () => {
  const encoder = await createMp3Encoder({ sampleRate: 44100, channels: 2, bitrateKbps: 128 });
  const file = await encodeFile(encoder, song);
  const view = new DataView(file.buffer);
  assert.equal(ascii(file, 36, 4), 'Info');
  assert.equal(view.getUint32(36 + 12), file.length);
  const frames = view.getUint32(36 + 8);
  const delay = view.getUint16(36 + 120 + 21) >> 4;
  const padding = view.getUint16(36 + 120 + 22) & 4095;
  assert.equal(frames * 1152 - delay - padding, 10_007);
  // Less padding than the delay of a decoder would lose the end.
  assert.ok(padding >= 529);
  assert.equal(view.getUint16(190), crc16Reflected(file.subarray(0, 190), 0));
  assert.equal(view.getUint16(188), crc16Reflected(file.subarray(417), 0));
});

test('improves the quality of an MP3 with the bitrate', async () => {
  const quality: number[] = [];
  for (const bitrateKbps of [128, 192, 320] as const) {
    const encoder = await createMp3Encoder({ sampleRate: 44100, channels: 2, bitrateKbps });
    const file = await encodeFile(encoder, song);
    const { samples, info } = await decodeFile(file);
    assert.ok(Math.abs((info.bitrate ?? 0) / (bitrateKbps * 1000) - 1) < 0.1);
    quality.push(signalToNoiseDb(song, samples));
  }
  assert.ok((quality[0] ?? 0) < (quality[2] ?? 0), quality.join(' '));
});

test('rejects an unsupported rate or number of audio channels with the rule', async () => {
  await assert.rejects(
    createMp3Encoder({ sampleRate: 96000, channels: 2, bitrateKbps: 320 }),
    /48000 Hz \(got 96000\)/,
  );
  await assert.rejects(createFlacEncoder({ sampleRate: 44101, channels: 2, bitDepth: 16 }), /\(got 44101\)/);
  await assert.rejects(
    createFlacEncoder({ sampleRate: 44100, channels: 9, bitDepth: 16 }),
    /1 to 8 .*\(got 9\)/,
  );
  assert.throws(() => createWavEncoder({ sampleRate: 44100, channels: 0, bitDepth: '16' }), /\(got 0\)/);
});

test('writes a file without samples for no input, and can be closed unfinished', async () => {
  for (const encoder of [
    createWavEncoder({ sampleRate: 44100, channels: 2, bitDepth: '16' }),
    await createFlacEncoder({ sampleRate: 44100, channels: 2, bitDepth: 16 }),
  ]) {
    await assert.rejects(decodeFile(await encodeFile(encoder, [])), { code: 'no_samples' });
    await encoder.close();
  }
  const unfinished = await createFlacEncoder({ sampleRate: 44100, channels: 2, bitDepth: 16 });
  await unfinished.encode(song);
  await unfinished.close();
  await unfinished.close();
});
