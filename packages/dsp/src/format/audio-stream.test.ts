import assert from 'node:assert/strict';
import { test } from 'node:test';
import { aiffFile } from '../testing/aiff-file.ts';
import { createTestSong, decodeFile, encodeFile, toChunks } from '../testing/audio-file.ts';
import { opusSong, vorbisSong } from '../testing/ogg-songs.ts';
import { openAudio } from './audio-stream.ts';
import { createFlacEncoder } from './encode-flac.ts';
import { createMp3Encoder } from './encode-mp3.ts';
import { createWavEncoder } from './encode-wav.ts';
import { sniffCodec } from './sniff-codec.ts';

const rate = 44100;
const song = createTestSong(rate, rate);
const files = {
  wav: await encodeFile(createWavEncoder({ sampleRate: rate, channels: 2, bitDepth: '16' }), song),
  mp3: await encodeFile(await createMp3Encoder({ sampleRate: rate, channels: 2, bitrateKbps: 128 }), song),
  flac: await encodeFile(await createFlacEncoder({ sampleRate: rate, channels: 2, bitDepth: 16 }), song),
};
const pad = (value: string) => Buffer.concat([Buffer.from(value, 'latin1'), Buffer.alloc(64)]);

test('detects the format from the bytes', () => {
  for (const [codec, bytes] of Object.entries(files))
    assert.equal(sniffCodec(bytes.subarray(0, 5000)), codec);
  assert.equal(sniffCodec(opusSong()), 'opus');
  assert.equal(sniffCodec(vorbisSong()), 'ogg');
  assert.equal(sniffCodec(pad('OggS')), 'ogg');
  assert.equal(sniffCodec(pad('\0\0\0\x20ftypM4A ')), 'm4a');
  assert.equal(sniffCodec(pad('FORM\0\0\0\0AIFF')), 'aiff');
  assert.equal(sniffCodec(pad('a text that calls itself song.mp3')), null);
  assert.equal(sniffCodec(new Uint8Array(0)), null);
});

test('rejects noise as MP3 despite random frame headers', () => {
  let state = 1;
  for (let round = 0; round < 40; round++) {
    const noise = Uint8Array.from(
      { length: 1 << 16 },
      () => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) >>> 24,
    );
    assert.equal(sniffCodec(noise), null);
  }
});

test('names a format that is recognised but not decoded, and the supported ones', async () => {
  await assert.rejects(decodeFile(pad('\0\0\0\x20ftypM4A ')), {
    code: 'unsupported_format',
    message: 'the file must be WAV, AIFF, MP3, FLAC, Ogg or Opus (its bytes are M4A)',
  });
});

test('identifies an empty file, a text and a lone ID3 tag in the error', async () => {
  await assert.rejects(decodeFile(new Uint8Array(0)), { code: 'empty' });
  await assert.rejects(decodeFile(Buffer.from('not a song at all')), { code: 'not_audio' });
  const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\0\x10\0', 'latin1'), Buffer.alloc(2048)]);
  await assert.rejects(decodeFile(tag), { code: 'truncated' });
  await assert.rejects(decodeFile(Buffer.concat([tag, Buffer.alloc(90000, 'text ')])), { code: 'not_audio' });
});

test('skips an ID3v2 tag with cover art of any size before MP3 and before FLAC', async () => {
  const tag = Buffer.concat([Buffer.from('ID3\x04\0\0\0\x08\0\0', 'latin1'), Buffer.alloc(1 << 17, 0xff)]);
  for (const codec of ['mp3', 'flac'] as const) {
    const decoded = await decodeFile(Buffer.concat([tag, files[codec]]));
    assert.equal(decoded.info.codec, codec);
    assert.equal(decoded.samples[0]?.length, rate);
  }
});

test('ends decoding with too_long beyond the limit, counted by decoded audio', async () => {
  for (const bytes of Object.values(files)) {
    await assert.rejects(decodeFile(bytes, { maxDurationSeconds: 0.5 }), {
      code: 'too_long',
      message: /at most 0.5 s/,
    });
    assert.equal((await decodeFile(bytes, { maxDurationSeconds: 1 })).samples[0]?.length, rate);
  }
});

test('rejects a header beyond the limit before decoding, unless the file is too small for it', async () => {
  const long = files.flac.slice();
  // The lowest 32 bits of the number of samples in STREAMINFO: two hours.
  new DataView(long.buffer).setUint32(22, 7200 * rate);
  const read = { bytes: 0 };
  async function* chunks(bytes: Uint8Array) {
    for await (const chunk of toChunks(bytes)) {
      read.bytes += chunk.length;
      yield chunk;
    }
    for (;;) {
      read.bytes += 4096;
      yield new Uint8Array(4096);
    }
  }
  await assert.rejects(openAudio(chunks(long), { maxDurationSeconds: 3600, fileBytes: 10_000_000 }), {
    code: 'too_long',
    message: 'a song must last at most 3600 s (the header of this file states 7200 s)',
  });
  assert.ok(read.bytes < 1_000_000, `${read.bytes} bytes were read`);
  // The file is too small for two hours: the header is damaged, and the second of audio in it is decoded.
  const damaged = await decodeFile(long, { maxDurationSeconds: 3600, fileBytes: 20_000 });
  assert.equal(damaged.samples[0]?.length, rate);
  const wav = files.wav.slice();
  new DataView(wav.buffer).setUint32(40, 0x7fff_fff0, true);
  const cut = await decodeFile(wav, { maxDurationSeconds: 3600, fileBytes: wav.length });
  assert.equal(cut.samples[0]?.length, rate);
});

test('rejects more samples than stereo at 192 kHz of the maximum length has as too long', async () => {
  const encoder = createWavEncoder({ sampleRate: 192_000, channels: 8, bitDepth: '16' });
  const bytes = await encodeFile(
    encoder,
    Array.from({ length: 8 }, () => new Float32Array(96_000)),
  );
  await assert.rejects(decodeFile(bytes, { maxDurationSeconds: 1 }), {
    code: 'too_long',
    message: 'a song must last at most 0 s at 8 channels of 192000 Hz (this one is longer)',
  });
  assert.equal((await decodeFile(bytes, { maxDurationSeconds: 2 })).samples[7]?.length, 96_000);
});

test('closes the input at the end, on an error, on an early exit and on close', async () => {
  for (const bytes of [...Object.values(files), aiffFile(song), vorbisSong(), opusSong()]) {
    let ends = 0;
    const open = (limits = {}) =>
      openAudio(
        toChunks(bytes, 512, () => ends++),
        limits,
      );
    for await (const _ of (await open()).blocks);
    assert.equal(ends, 1, 'walked to the end');
    for await (const _ of (await open()).blocks) break;
    assert.equal(ends, 2, 'left early');
    const closed = await open();
    await closed.close();
    await closed.close();
    assert.equal(ends, 3, 'closed unread');
    for await (const _ of closed.blocks) assert.fail('a closed source gives no block');
    await assert.rejects(async () => {
      for await (const _ of (await open({ maxDurationSeconds: 0.1 })).blocks);
    });
    assert.equal(ends, 4, 'too long');
  }
  let ends = 0;
  await assert.rejects(openAudio(toChunks(Buffer.alloc(200_000, 'no song '), 512, () => ends++)));
  assert.equal(ends, 1, 'refused');
});

test('passes an error of the input to the caller unchanged', async () => {
  const broken = async function* () {
    yield files.wav.subarray(0, 3000);
    throw new Error('disk gone');
  };
  await assert.rejects(openAudio(broken()), { message: 'disk gone' });
});
