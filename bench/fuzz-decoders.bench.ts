import { setTimeout as sleep } from 'node:timers/promises';
import { AudioFormatError } from '@stem-studio/dsp/format/audio-format-error';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { createFlacEncoder } from '@stem-studio/dsp/format/encode-flac';
import { createMp3Encoder } from '@stem-studio/dsp/format/encode-mp3';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { aiffFile } from '@stem-studio/dsp/testing/aiff-file';
import { createTestSong, encodeFile, toChunks } from '@stem-studio/dsp/testing/audio-file';
import { mutateFile, mutations } from '@stem-studio/dsp/testing/mutate-file';
import { opusSong, vorbisSong } from '@stem-studio/dsp/testing/ogg-songs';
import * as fc from 'fast-check';
import type { Bench, BenchRow } from './bench.ts';

const FILES = 10_000;
const SAMPLES = 4000;
const SEED = 20_261_121;
const LONGEST_SECONDS = 60;

/** Feeds every decoder ten thousand damaged files: each is decoded or refused with a reason, in time and memory. */
export const bench: Bench = {
  name: 'fuzz-decoders',
  about: `${FILES} mutated files for every decoder: no crash, no hang, bounded memory`,
  run: async ({ log }): Promise<BenchRow[]> => {
    const rows: BenchRow[] = [];
    for (const [format, file] of Object.entries(await createFiles())) {
      const got = await feed(file);
      const heard = `${got.decoded} decoded, ${got.refused} refused`;
      rows.push({
        what: `${format}: neither decoded nor refused`,
        value: got.crashed,
        unit: 'files',
        bar: '0',
      });
      rows.push({
        what: `${format}: slowest file (${heard})`,
        value: got.slowestMs,
        unit: 'ms',
        bar: '≤ 5000',
      });
      rows.push({ what: `${format}: memory of the process`, value: got.mostMb, unit: 'MB', bar: '≤ 1000' });
      log(
        `${format}: ${heard}, ${got.crashed} crashed${got.firstCrash === null ? '' : `: ${got.firstCrash}`}`,
      );
    }
    return rows;
  },
};

async function createFiles(): Promise<Record<string, Uint8Array>> {
  const song = createTestSong(SAMPLES, 44_100);
  const shape = { sampleRate: 44_100, channels: 2 } as const;
  return {
    WAV: await encodeFile(createWavEncoder({ ...shape, bitDepth: '24' }), song),
    AIFF: aiffFile(song),
    MP3: await encodeFile(await createMp3Encoder({ ...shape, bitrateKbps: 128 }), song),
    FLAC: await encodeFile(await createFlacEncoder({ ...shape, bitDepth: 16 }), song),
    'Ogg Vorbis': vorbisSong(),
    'Ogg Opus': opusSong(),
  };
}

async function feed(file: Uint8Array) {
  const got = {
    decoded: 0,
    refused: 0,
    crashed: 0,
    slowestMs: 0,
    mostMb: 0,
    firstCrash: null as string | null,
  };
  // One value at a time, from one seed: the same ten thousand at every run.
  const changes = fc.sample(mutations, { numRuns: FILES, seed: SEED });
  for (const [index, change] of changes.entries()) {
    const start = performance.now();
    try {
      await decode(mutateFile(file, change));
      got.decoded++;
    } catch (error) {
      if (error instanceof AudioFormatError) got.refused++;
      else got.firstCrash ??= `file ${index}, ${String(error)}`;
      if (!(error instanceof AudioFormatError)) got.crashed++;
    }
    got.slowestMs = Math.max(got.slowestMs, performance.now() - start);
    if (index % 50 !== 0) continue;
    // The decoders' own memory goes when the collector gets a turn.
    await sleep(0);
    got.mostMb = Math.max(got.mostMb, process.memoryUsage.rss() / 2 ** 20);
  }
  return got;
}

async function decode(bytes: Uint8Array): Promise<void> {
  const source = await openAudio(toChunks(bytes), { maxDurationSeconds: LONGEST_SECONDS });
  for await (const block of source.blocks) {
    for (const samples of block)
      if (!samples.every(Number.isFinite)) throw new Error('a sample is no number');
  }
}
