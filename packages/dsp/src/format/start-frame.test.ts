import assert from 'node:assert/strict';
import { test } from 'node:test';
import { createMp3Encoder as createLame } from 'wasm-media-encoders';
import { aiffFile } from '../testing/aiff-file.ts';
import {
  createTestSong,
  type DecodedFile,
  decodeFile,
  encodeFile,
  joinSamples,
  toChunks,
} from '../testing/audio-file.ts';
import { flacFile } from '../testing/flac-file.ts';
import { mp3FrameOffsets } from '../testing/mp3-frame-offsets.ts';
import { opusSong, vorbisSong } from '../testing/ogg-songs.ts';
import { joinBytes } from './audio-encoder.ts';
import type { Mp3FrameIndex } from './audio-source.ts';
import { openAudio } from './audio-stream.ts';
import { createFlacEncoder } from './encode-flac.ts';
import { createMp3Encoder } from './encode-mp3.ts';
import { createWavEncoder } from './encode-wav.ts';
import { createMp3InfoFrame } from './mp3-info-writer.ts';

/** Way in which a file is read: as a stream or seekable, with or without the frame index of an earlier decode. */
interface Reading {
  isSeekable: boolean;
  mp3Index?: Mp3FrameIndex;
}

/** Decodes a file from `startFrame` on and counts the bytes read. */
async function decodeFrom(file: Uint8Array, startFrame: number, { isSeekable, mp3Index }: Reading) {
  let readBytes = 0;
  const readFrom = async function* (offset: number): AsyncGenerator<Uint8Array, void, undefined> {
    for await (const chunk of toChunks(file.subarray(offset))) {
      readBytes += chunk.length;
      yield chunk;
    }
  };
  const source = await openAudio(readFrom(0), {
    startFrame,
    ...(mp3Index ? { mp3Index } : {}),
    ...(isSeekable ? { readFrom, fileBytes: file.length } : {}),
  });
  const blocks: Float32Array[][] = [];
  for await (const block of source.blocks) blocks.push(block);
  const samples = Array.from({ length: source.info.channels }, (_, index) =>
    joinSamples(blocks.map((block) => block[index] ?? new Float32Array(0))),
  );
  return { samples, info: source.info, warnings: source.warnings, readBytes };
}

/** Compares bytes, because an assertion on millions of samples would take minutes to report a difference. */
function isSame(got: readonly Float32Array[], wanted: readonly Float32Array[]): boolean {
  const bytesOf = (part: Float32Array) => Buffer.from(part.buffer, part.byteOffset, part.byteLength);
  return (
    got.length === wanted.length &&
    got.every((part, index) => bytesOf(part).equals(bytesOf(wanted[index] ?? new Float32Array(0))))
  );
}

/** Compares decodes from many positions, read in every way, with a decode from the beginning, which it returns. */
async function checkEverywhere(file: Uint8Array, name: string, hasLeaps = true): Promise<DecodedFile> {
  const whole = await decodeFile(file);
  const length = whole.samples[0]?.length ?? 0;
  const starts = [1, 575, 40_000, 0.5, 0.77, 0.93].map((at) =>
    at > 0 && at < 1 ? Math.floor(at * length) : at,
  );
  starts.push(length - 1, length + 5000);
  const known: Mp3FrameIndex = { offsets: [], hasDamage: false };
  if (!hasLeaps) await decodeFrom(file, 0, { isSeekable: false, mp3Index: known });
  const readings: Reading[] = [{ isSeekable: false }, { isSeekable: true, mp3Index: known }];
  if (hasLeaps) readings.push({ isSeekable: true });
  for (const startFrame of starts.filter((start) => start >= 0)) {
    const wanted = whole.samples.map((part) => part.subarray(startFrame));
    for (const reading of readings) {
      const got = await decodeFrom(file, startFrame, reading);
      const how = `${name} from ${startFrame} of ${length}, ${JSON.stringify({ ...reading, offsets: reading.mp3Index?.offsets.length })}`;
      assert.ok(isSame(got.samples, wanted), how);
      assert.deepEqual(got.info, whole.info, how);
    }
  }
  return whole;
}

const rate = 44_100;
const song = createTestSong(24 * rate + 17, rate);
/** Alternating levels, so that a variable bitrate varies and the reservoir of a constant one fills and empties. */
const uneven = song.map((part) =>
  part.map(
    (sample, at) =>
      sample * (Math.floor(at / 20_000) % 3 === 0 ? 0.001 : 1) + noise(at) * (at % 90_000 < 9000 ? 0.4 : 0),
  ),
);

function noise(at: number): number {
  const mixed = Math.imul(at ^ (at >>> 7), 2_654_435_761);
  return ((mixed ^ (mixed >>> 15)) | 0) / 2 ** 31;
}

async function mp3(
  samples: Float32Array[],
  bitrateKbps: 128 | 192 | 320,
  sampleRate = rate,
): Promise<Uint8Array> {
  return encodeFile(
    await createMp3Encoder({ sampleRate, channels: samples.length === 1 ? 1 : 2, bitrateKbps }),
    samples,
  );
}

/** Encodes an MP3 of variable bitrate with or without its Info frame. */
async function variableMp3(samples: Float32Array[], hasInfo: boolean, vbrQuality = 4): Promise<Uint8Array> {
  const lame = await createLame();
  lame.configure({ sampleRate: rate, channels: 2, vbrQuality });
  const parts = [lame.encode(samples).slice(), lame.finalize().slice()];
  const encoded = joinBytes(parts);
  const frames = mp3FrameOffsets(encoded).length;
  const padding = frames * 1152 - 576 - (samples[0]?.length ?? 0);
  const info = createMp3InfoFrame(encoded.subarray(0, 4), { frames, bytes: encoded.length, padding, crc: 0 });
  return hasInfo ? joinBytes([info, encoded]) : encoded;
}

const constant = await mp3(uneven, 128);

test('decodes MP3 of constant bitrate from any sample bit-identically to a decode from the start', async () => {
  await checkEverywhere(constant, '128 kbit/s');
  await checkEverywhere(await mp3(uneven, 320), '320 kbit/s');
  await checkEverywhere(await mp3(uneven.slice(0, 1), 128), 'mono');
});

test('decodes MP3 of lower sampling frequencies from any sample bit-identically', async () => {
  const low = uneven.map((part) => part.subarray(0, 24_000 * 20));
  await checkEverywhere(await mp3(low, 128, 24_000), '24 kHz');
  await checkEverywhere(await mp3(low.slice(0, 1), 128, 22_050), '22 kHz mono');
  await checkEverywhere(
    await mp3(
      low.map((part) => part.subarray(0, 200_000)),
      128,
      8000,
    ),
    '8 kHz',
  );
});

test('decodes MP3 of variable bitrate, with and without an Info frame, from any sample bit-identically', async () => {
  const whole = await checkEverywhere(await variableMp3(uneven, true), 'VBR');
  assert.equal(whole.samples[0]?.length, uneven[0]?.length);
  await checkEverywhere(await variableMp3(uneven, false), 'VBR without Info');
  await checkEverywhere(constant.subarray(mp3FrameOffsets(constant)[1]), 'CBR without Info');
});

test('decodes MP3 with tags before, between and after its frames from any sample bit-identically', async () => {
  const id3 = joinBytes([Uint8Array.of(0x49, 0x44, 0x33, 4, 0, 0, 0, 1, 0, 0), new Uint8Array(1 << 14)]);
  const id3v1 = new Uint8Array(128).fill(0x20);
  id3v1.set([0x54, 0x41, 0x47]);
  const middle = mp3FrameOffsets(constant)[400] ?? 0;
  const joined = [id3, constant.subarray(0, middle), id3, constant.subarray(middle), id3v1];
  await checkEverywhere(joinBytes(joined), 'tags');
});

test('decodes damaged MP3 from any sample bit-identically', async () => {
  const offsets = mp3FrameOffsets(constant);
  const garbage = Buffer.alloc(5000, 'garbage \xff\xfb\x90', 'latin1');
  const middle = offsets[300] ?? 0;
  await checkEverywhere(
    joinBytes([constant.subarray(0, middle), garbage, constant.subarray(middle)]),
    'garbage between frames',
  );
  await checkEverywhere(constant.subarray((offsets[200] ?? 0) + 100), 'beginning lost');
  await checkEverywhere(constant.subarray(0, 250_000), 'end lost');
  // The rest of this file does not reveal that earlier frames are lost, unless they are counted.
  const inside = constant.slice();
  for (let at = 200_000; at < 201_500; at += 7) inside[at] = at & 255;
  await checkEverywhere(inside, 'bytes lost', false);
});

test('reads only the head and the requested part at constant bitrate, and at variable bitrate with an index', async () => {
  const start = 22 * rate;
  const large = await mp3(uneven, 320);
  const { readBytes, warnings } = await decodeFrom(large, start, { isSeekable: true });
  assert.ok(readBytes < 0.7 * large.length, `${readBytes} of ${large.length}`);
  assert.deepEqual(warnings, []);
  const variable = await variableMp3(uneven, true, 0);
  const mp3Index: Mp3FrameIndex = { offsets: [], hasDamage: false };
  await decodeFrom(variable, start, { isSeekable: true, mp3Index });
  assert.ok(mp3Index.offsets.length > 10);
  const again = await decodeFrom(variable, start, { isSeekable: true, mp3Index });
  assert.ok(again.readBytes < 0.8 * variable.length, `${again.readBytes} of ${variable.length}`);
});

test('decodes FLAC from any sample bit-identically to a decode from the start', async () => {
  for (const bitDepth of [16, 24] as const) {
    const file = await encodeFile(
      await createFlacEncoder({ sampleRate: rate, channels: 2, bitDepth }),
      uneven,
    );
    await checkEverywhere(file, `FLAC of ${bitDepth} bits`);
    if (bitDepth === 24) continue;
    const { readBytes } = await decodeFrom(file, 22 * rate, { isSeekable: true });
    assert.ok(readBytes < 0.6 * file.length, `${readBytes} of ${file.length}`);
    const damaged = file.slice();
    for (const part of [0.3, 0.5, 0.50001, 0.93]) {
      const at = Math.floor(file.length * part);
      damaged[at] = (damaged[at] ?? 0) ^ 0x10;
    }
    await checkEverywhere(damaged, 'damaged FLAC');
    await checkEverywhere(file.subarray(0, Math.floor(file.length * 0.8)), 'cut FLAC');
    await checkEverywhere(
      joinBytes([file.subarray(0, 42), file.subarray(500_000)]),
      'FLAC without its beginning',
    );
  }
});

test('decodes FLAC of variable block sizes or unknown length from any sample bit-identically', async () => {
  const whole = [0, 1].map((side) =>
    Array.from({ length: 60_000 }, (_, at) => Math.round(noise(at + side) * 30_000)),
  );
  const shape = { sampleRate: 8000, bitsPerSample: 16 };
  await checkEverywhere(flacFile(whole, { ...shape, blockSizes: [1024, 17, 4096, 600] }), 'variable');
  const fixed = flacFile(whole, shape);
  await checkEverywhere(fixed, 'fixed');
  const unknown = fixed.slice();
  unknown.fill(0, 22, 26);
  await checkEverywhere(unknown, 'no length');
});

test('decodes WAV, AIFF and Ogg from any sample bit-identically', async () => {
  const short = song.map((part) => part.subarray(0, 5 * rate));
  for (const bitDepth of ['16', '24', '32f'] as const) {
    const file = await encodeFile(createWavEncoder({ sampleRate: rate, channels: 2, bitDepth }), short);
    await checkEverywhere(file, `WAV ${bitDepth}`);
    await checkEverywhere(file.subarray(0, file.length / 2), `cut WAV ${bitDepth}`);
  }
  await checkEverywhere(aiffFile(short), 'AIFF');
  await checkEverywhere(vorbisSong(), 'Vorbis');
  await checkEverywhere(opusSong(), 'Opus');
});
