import { rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { SeparationModelName } from '@stem-studio/contract/separation-models';
import type {
  InstalledModel,
  NetworkContract,
  NetworkStemCount,
} from '@stem-studio/contract/separation-weights';
import { createWavHeader } from '@stem-studio/dsp/format/wav-file-header';
import type { Config } from '../../../platform/config.ts';
import { runSeparator } from '../engines/run-separator.ts';
import { NetworkRefused } from './network-refused.ts';

const sampleRate = 44_100;
/** Three segments: the second and the third show the requirements of a long song. */
const seconds = 18;
/** Smallest peak of a stem that is not silent, 60 dB below full scale. A slight DC offset is still silence. */
const silence = 1e-3;

type Measured = InstalledModel['tested']['freeing_memory'];

/** Input of a test. */
export interface NetworkTest {
  readonly config: Config;
  readonly model: SeparationModelName;
  readonly contract: NetworkContract;
  readonly stems: NetworkStemCount;
  /** Absolute paths. */
  readonly networks: readonly string[];
  /** Folder for temporary files. */
  readonly folder: string;
  readonly signal: AbortSignal;
  readonly log: (sentence: string) => void;
}

/** Returns a WAV of notes and noise: some content for every stem that a network may detect. */
function testAudio(): Buffer {
  const frames = seconds * sampleRate;
  const data = Buffer.alloc(frames * 4);
  let state = 1;
  for (let i = 0; i < frames; i++) {
    const t = i / sampleRate;
    state = (state * 48_271) % 2_147_483_647;
    const hit = (state / 1_073_741_823.5 - 1) * Math.exp(-(t % 0.5) / 0.05);
    const note = Math.sin(2 * Math.PI * 55 * t) + Math.sin(2 * Math.PI * 330 * t + 3 * Math.sin(35 * t));
    for (const side of [0, 1])
      data.writeInt16LE(Math.round(6000 * (hit + note) * (side === 0 ? 1 : 0.8)), i * 4 + side * 2);
  }
  const head = createWavHeader({ sampleRate, channels: 2, bitDepth: '16' }, frames, true);
  return Buffer.concat([head, data]);
}

/**
 * Separates short audio with networks, as a job would, in both memory modes.
 *
 * @throws NetworkRefused where they cannot separate it, or return only silence
 */
export async function testNetworks(test: NetworkTest): Promise<InstalledModel['tested']> {
  const input = join(test.folder, 'test.wav');
  const output = join(test.folder, 'test-stems');
  const measure = async (keepsMemory: boolean): Promise<Measured | string> => {
    const { result, refusal } = await runSeparator(
      {
        input_path: input,
        output_dir: output,
        model: test.model,
        bit_depth: '32f',
        max_seconds: null,
        max_duration_seconds: 3600,
        weights: {
          contract: test.contract,
          stems: test.stems,
          files: [...test.networks],
          device: test.config.separationDevice,
          keeps_memory: keepsMemory,
          memory_mb: test.config.separationMemoryMb,
          queue: test.config.separationQueue,
        },
      },
      { signal: test.signal, report: ({ stage }) => stage?.startsWith('waiting') && test.log(stage) },
    );
    if (result === null) return refusal?.message ?? 'the separation engine ended without a result';
    for (const warning of result.warnings ?? []) test.log(`note: ${warning}`);
    // `other` is the residual of the rest: it is as loud as the input where they are silent.
    const peaks = Object.entries(result.peaks ?? {}).filter(([stem]) => stem !== 'other');
    if (peaks.every(([, peak]) => peak < silence)) return 'the networks give only silence';
    return { segment_ms: result.segment_ms ?? 0, peak_mb: result.peak_mb ?? 0 };
  };
  try {
    await writeFile(input, testAudio());
    test.log('separating test audio');
    const freeing = await measure(false);
    if (typeof freeing === 'string') throw new NetworkRefused(freeing);
    test.log('separating it once more, with memory kept from segment to segment');
    const keeping = await measure(true);
    return { freeing_memory: freeing, keeping_memory: typeof keeping === 'string' ? null : keeping };
  } finally {
    await rm(output, { recursive: true, force: true });
    await rm(input, { force: true });
  }
}
