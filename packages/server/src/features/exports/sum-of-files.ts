import { createReadStream } from 'node:fs';
import type { AudioInfo, AudioSource } from '@stem-studio/dsp/format/audio-source';
import { openAudio } from '@stem-studio/dsp/format/audio-stream';
import { sumBlocks } from '@stem-studio/dsp/mix/sum-blocks';

/** Sum of several files as one stream. */
export interface SumOfFiles {
  /** Audio format, from the first file. */
  readonly info: AudioInfo;
  readonly blocks: AsyncIterable<Float32Array[]>;
  close(): Promise<void>;
}

/** Tells whether a sample value fits into integers of a width, whose maximum is one step below full scale. */
export function fitsIntegers(peak: number, bits: 16 | 24): boolean {
  return peak <= 1 - 2 ** (1 - bits);
}

/** Opens the sum of stored stems of one separation. Throws without stems. */
export async function openSum(paths: readonly string[]): Promise<SumOfFiles> {
  const sources: AudioSource[] = [];
  const close = async (): Promise<void> => void (await Promise.all(sources.map((source) => source.close())));
  try {
    for (const path of paths)
      sources.push(await openAudio(createReadStream(path, { highWaterMark: 1 << 18 })));
  } catch (error) {
    await close();
    throw error;
  }
  const [first] = sources;
  if (!first) throw new Error('there must be a stem to encode');
  const blocks = sources.length === 1 ? first.blocks : sumBlocks(sources.map((source) => source.blocks));
  return { info: first.info, blocks, close };
}

/** Returns the largest absolute sample of the sum. */
export async function peakOf(paths: readonly string[]): Promise<number> {
  const sum = await openSum(paths);
  let peak = 0;
  try {
    for await (const block of sum.blocks)
      for (const samples of block)
        for (const sample of samples) if (Math.abs(sample) > peak) peak = Math.abs(sample);
  } finally {
    await sum.close();
  }
  return peak;
}
