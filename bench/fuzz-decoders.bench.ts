import { AudioFormatError } from '@stem-studio/dsp/format/audio-format-error';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { createFlacEncoder } from '@stem-studio/dsp/format/encode-flac';
import { createMp3Encoder } from '@stem-studio/dsp/format/encode-mp3';
import { createWavEncoder } from '@stem-studio/dsp/format/encode-wav';
import { aiffFile } from '@stem-studio/dsp/testing/aiff-file';
import { createTestSong, encodeFile, toChunks } from '@stem-studio/dsp/testing/audio-file';
import { opusSong, vorbisSong } from '@stem-studio/dsp/testing/ogg-songs';
import type { Bench, BenchRow } from './bench.ts';
import { feed } from './fuzz/feed.ts';

const FILES = 10_000;
/** Five blocks of FLAC; the same length as the two songs in Ogg. */
const SAMPLES = 20_000;
/** Each file is decoded from its beginning, and from this frame. */
const START_FRAME = 15_000;
const LONGEST_SECONDS = 60;

/**
 * Runs every decoder on ten thousand damaged files: each is decoded or rejected with a reason, within limits of time
 * and memory.
 */
export const bench: Bench = {
  name: 'fuzz-decoders',
  about: `${FILES} mutated files for every decoder: no crash, no hang, bounded memory`,
  run: async ({ log }): Promise<BenchRow[]> => {
    const rows: BenchRow[] = [];
    for (const [name, file] of Object.entries(await createFiles()))
      rows.push(...(await feed({ name, file, count: FILES, read: decode, log })));
    return rows;
  },
};

async function createFiles(): Promise<Record<string, Uint8Array>> {
  const song = createTestSong(SAMPLES, 44_100);
  const shape = { sampleRate: 44_100, channels: 2 } as const;
  return {
    'Ogg Vorbis': vorbisSong(),
    'Ogg Opus': opusSong(),
    FLAC: await encodeFile(await createFlacEncoder({ ...shape, bitDepth: 16 }), song),
    MP3: await encodeFile(await createMp3Encoder({ ...shape, bitrateKbps: 128 }), song),
    WAV: await encodeFile(createWavEncoder({ ...shape, bitDepth: '24' }), song),
    AIFF: aiffFile(song),
  };
}

async function decode(bytes: Uint8Array): Promise<boolean> {
  try {
    const readEnd = (count: number) => Promise.resolve(bytes.subarray(-count));
    const readFrom = (offset: number) => toChunks(bytes.subarray(offset));
    const anywhere = { readFrom, fileBytes: bytes.length, startFrame: START_FRAME };
    for (const options of [{}, anywhere]) {
      const limits = { maxDurationSeconds: LONGEST_SECONDS, readEnd };
      const source = await openAudio(toChunks(bytes), { ...limits, ...options });
      for await (const block of source.blocks) {
        for (const samples of block)
          if (!samples.every(Number.isFinite)) throw new Error('a sample is no number');
      }
    }
    return true;
  } catch (error) {
    if (error instanceof AudioFormatError) return false;
    throw error;
  }
}
