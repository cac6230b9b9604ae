import { SongDecoding } from '@stem-studio/audio/deck/song-decoding';
import { serveAudio } from '@stem-studio/audio/testing/audio-server';
import { type AudioEncoder, joinBytes } from '@stem-studio/dsp/format/audio-encoder';
import { createFlacEncoder } from '@stem-studio/dsp/format/encode-flac';
import { createMp3Encoder } from '@stem-studio/dsp/format/encode-mp3';
import { createTestSong, encodeFile } from '@stem-studio/dsp/testing/audio-file';
import { CHUNK_FRAMES } from '@stem-studio/renderer/sources/chunk';
import type { Bench, BenchRow } from './bench.ts';

/**
 * Sample rate in Hz at which all MP3 frames of a constant bitrate have the same length. A minute can therefore be
 * repeated.
 */
const sampleRateHz = 48_000;
const minutes = 60;
const rounds = 3;
const barMs = 1000;

/** Measures jumps in an hour-long song, in the decoding thread and over HTTP, as on a deck. */
export const bench: Bench = {
  name: 'deck-jump',
  about:
    'From a jump in a song of an hour to its first chunk of sound there, beside decoding it from its beginning',
  run: async ({ log }): Promise<BenchRow[]> => {
    const rows: BenchRow[] = [];
    for (const [codec, make] of Object.entries(makers)) {
      const song = await make();
      log(`${codec}: ${(song.length / 1e6).toFixed(0)} MB`);
      const server = await serveAudio({ song });
      try {
        rows.push(...(await jump(codec, server.address('song'))));
      } finally {
        await server.close();
      }
    }
    return rows;
  },
};

const makers: Record<string, () => Promise<Uint8Array>> = {
  'MP3 of 320 kbit/s': async () =>
    repeated(await createMp3Encoder({ sampleRate: sampleRateHz, channels: 2, bitrateKbps: 320 })),
  FLAC: async () =>
    encodeHour(await createFlacEncoder({ sampleRate: sampleRateHz, channels: 2, bitDepth: 16 })),
};

/** Returns a minute of audio without its Info frame, repeated to fill an hour. */
async function repeated(encoder: AudioEncoder): Promise<Uint8Array> {
  const minute = await encodeFile(encoder, createTestSong(60 * sampleRateHz, sampleRateHz));
  const audioFrames = minute.subarray(infoFrameBytes);
  return joinBytes(Array.from({ length: minutes }, () => audioFrames));
}

const infoFrameBytes = 960;

async function encodeHour(encoder: AudioEncoder): Promise<Uint8Array> {
  const block = createTestSong(60 * sampleRateHz, sampleRateHz);
  const parts: Uint8Array[] = [];
  for (let minute = 0; minute < minutes; minute++) parts.push(await encoder.encode(block));
  const { tail, patches } = await encoder.finish();
  const file = joinBytes([...parts, tail]);
  for (const { offset, bytes } of patches) file.set(bytes, offset);
  return file;
}

async function jump(codec: string, address: string): Promise<BenchRow[]> {
  const rows: BenchRow[] = [];
  const beginning = median(await times(() => firstChunkMs(address, 0, 0)));
  rows.push({ what: `${codec}: from nothing to the first chunk`, value: beginning, unit: 'ms' });
  for (const minute of [30, 57]) {
    const chunk = Math.floor((minute * 60 * sampleRateHz) / CHUNK_FRAMES);
    const ours = median(await times(() => firstChunkMs(address, chunk, chunk)));
    const before = await firstChunkMs(address, 0, chunk);
    rows.push({
      what: `${codec}: jump to minute ${minute}`,
      value: ours,
      unit: 'ms',
      against: `from the beginning ${before.toFixed(0)} ms`,
      ratio: before / ours,
      bar: `≤ ${barMs} ms`,
    });
  }
  return rows;
}

/** Returns the time in ms until chunk `wanted` is decoded. Decoding starts at chunk `first` of an unknown file. */
async function firstChunkMs(address: string, first: number, wanted: number): Promise<number> {
  const start = performance.now();
  const { promise, resolve, reject } = Promise.withResolvers<void>();
  const decoding = new SongDecoding((event) => {
    if (event.type === 'chunk' && event.index === wanted) resolve();
    if (event.type === 'failed') reject(new Error(event.message));
  });
  const durationMs = minutes * 60_000;
  decoding.apply({ type: 'decode', pass: 1, address, durationMs, window: { first, last: wanted } });
  // Chunks before the wanted one are decoded but not kept.
  decoding.apply({ type: 'window', pass: 1, window: { first: wanted, last: wanted } });
  await promise;
  const ms = performance.now() - start;
  decoding.apply({ type: 'stop' });
  return ms;
}

async function times(measure: () => Promise<number>): Promise<number[]> {
  const all: number[] = [];
  while (all.length < rounds) all.push(await measure());
  return all;
}

function median(values: readonly number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
