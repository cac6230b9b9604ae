import { spawn } from 'node:child_process';
import { createReadStream } from 'node:fs';
import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AudioEncoder } from '@stem-studio/dsp/format/audio-encoder';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { createFlacEncoder } from '@stem-studio/dsp/format/encode-flac';
import { createMp3Encoder } from '@stem-studio/dsp/format/encode-mp3';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import type { Bench, BenchOptions, BenchRow } from './bench.ts';

const SAMPLE_RATE = 44100;
const SECONDS = 240;
const ROUNDS = 5;
const BAR = '≥ 0.6 of ffmpeg';
/** Lower targets for formats whose decoders are packages compiled without SIMD. */
const LOWER_BARS: Record<string, string> = { mp3: '≥ 0.4 of ffmpeg', ogg: '≥ 0.4 of ffmpeg' };

/** Encoders of all formats that this project decodes and encodes. */
const ENCODERS: Record<string, () => AudioEncoder | Promise<AudioEncoder>> = {
  wav: () => createWavEncoder({ sampleRate: SAMPLE_RATE, channels: 2, bitDepth: '16' }),
  mp3: () => createMp3Encoder({ sampleRate: SAMPLE_RATE, channels: 2, bitrateKbps: 320 }),
  flac: () => createFlacEncoder({ sampleRate: SAMPLE_RATE, channels: 2, bitDepth: 16 }),
};

/** Formats that this project only decodes: ffmpeg encodes the WAV with these arguments. */
const MADE_BY_FFMPEG: Record<string, readonly string[]> = {
  aiff: ['-c:a', 'pcm_s16be'],
  ogg: ['-c:a', 'libvorbis', '-q:a', '6'],
  opus: ['-c:a', 'libopus', '-b:a', '160k'],
};

/** Measures the decoding speed of a four-minute song, compared with ffmpeg decoding the same file to 32-bit float. */
export const bench: Bench = {
  name: 'decode',
  about: 'decode and encode every format, four minutes of each, beside ffmpeg',
  run: async (options: BenchOptions): Promise<BenchRow[]> => {
    const folder = await mkdtemp(join(tmpdir(), 'stem-studio-bench-'));
    try {
      const rows: BenchRow[] = [];
      for (const [format, createEncoder] of Object.entries(ENCODERS)) {
        const file = join(folder, `song.${format}`);
        const encodeSeconds = await encodeSong(await createEncoder(), file);
        rows.push({ what: `encode ${format}`, value: SECONDS / encodeSeconds, unit: '×' });
        options.log(`${format}: encoded`);
        rows.push(await compare(format, file));
      }
      for (const [format, args] of Object.entries(MADE_BY_FFMPEG)) {
        const file = join(folder, `song.${format}`);
        const seconds = await timeFfmpeg(['-i', join(folder, 'song.wav'), ...args, file]).catch(() => null);
        options.log(
          `${format}: ${seconds === null ? 'left out, ffmpeg makes none here' : 'encoded by ffmpeg'}`,
        );
        if (seconds !== null) rows.push(await compare(format, file));
      }
      return rows;
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
};

/** Decodes alternately, so that other load affects both programs, and uses the medians. */
async function compare(format: string, file: string): Promise<BenchRow> {
  const ours: number[] = [];
  const theirs: number[] = [];
  for (let round = 0; round < ROUNDS; round++) {
    ours.push(await timeOurs(file));
    const seconds = await timeFfmpeg(['-i', file, '-f', 'f32le', 'pipe:1']);
    if (seconds !== null) theirs.push(seconds);
  }
  const value = SECONDS / median(ours);
  const peer = theirs.length === 0 ? null : SECONDS / median(theirs);
  return {
    what: `decode ${format}`,
    value,
    unit: '×',
    bar: LOWER_BARS[format] ?? BAR,
    against: peer === null ? 'ffmpeg: not installed' : `ffmpeg ${peer.toFixed(0)} ×`,
    ...(peer === null ? {} : { ratio: value / peer }),
  };
}

/** Writes a song of chords, a beat and some noise; returns the seconds spent in the encoder alone. */
async function encodeSong(encoder: AudioEncoder, file: string): Promise<number> {
  const parts: Uint8Array[] = [];
  let seconds = 0;
  const time = async <T>(work: () => T | Promise<T>): Promise<T> => {
    const start = performance.now();
    const result = await work();
    seconds += (performance.now() - start) / 1000;
    return result;
  };
  for (let second = 0; second < SECONDS; second++) {
    const block = createSecond(second);
    parts.push(await time(() => encoder.encode(block)));
  }
  const { tail, patches } = await time(() => encoder.finish());
  const bytes = Buffer.concat([...parts, tail]);
  for (const patch of patches) bytes.set(patch.bytes, patch.offset);
  await writeFile(file, bytes);
  return seconds;
}

function createSecond(second: number): Float32Array[] {
  const roots = [220, 174.6, 130.8, 196];
  const root = roots[Math.floor(second / 2) % roots.length] ?? 220;
  let noise = second + 1;
  return [0, 1].map((side) =>
    Float32Array.from({ length: SAMPLE_RATE }, (_, n) => {
      const t = n / SAMPLE_RATE;
      noise = (Math.imul(noise, 1664525) + 1013904223) | 0;
      const chord = [1, 1.25, 1.5, 2].reduce(
        (sum, ratio) => sum + Math.sin(2 * Math.PI * root * ratio * t + side),
        0,
      );
      const drum = (noise / 2 ** 31) * Math.exp(-((t * 4) % 1) * 18);
      return 0.12 * chord + 0.3 * drum;
    }),
  );
}

async function timeOurs(file: string): Promise<number> {
  const start = performance.now();
  // In chunks of the same size as in the service.
  const source = await openAudio(createReadStream(file, { highWaterMark: 1 << 18 }));
  let samples = 0;
  for await (const block of source.blocks) samples += block[0]?.length ?? 0;
  const seconds = samples / source.info.sample_rate;
  // Opus has a different sample rate than the song, to which its length is rounded.
  if (Math.abs(seconds - SECONDS) > 1e-4)
    throw new Error(`a song of ${SECONDS} s must decode whole (got ${seconds} s)`);
  return (performance.now() - start) / 1000;
}

/** Returns the run time of ffmpeg in seconds, including its start; null if it is not installed. */
async function timeFfmpeg(args: readonly string[]): Promise<number | null> {
  const start = performance.now();
  const child = spawn('ffmpeg', ['-v', 'error', ...args], { stdio: ['ignore', 'ignore', 'inherit'] });
  return new Promise((resolve, reject) => {
    child.on('error', (error) =>
      'code' in error && error.code === 'ENOENT' ? resolve(null) : reject(error),
    );
    child.on('close', (code) =>
      code === 0
        ? resolve((performance.now() - start) / 1000)
        : reject(new Error(`ffmpeg ended with ${code}`)),
    );
  });
}

function median(values: number[]): number {
  return values.toSorted((a, b) => a - b)[Math.floor(values.length / 2)] ?? Number.NaN;
}
