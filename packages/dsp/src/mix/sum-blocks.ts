import { alignBlocks } from './align-blocks.ts';

/**
 * Yields the sum of several streams, sample by sample, aligned by {@link alignBlocks}.
 *
 * Sums are rounded once, to single precision: those of 16-bit audio, and of 24-bit audio within full scale, are exact.
 *
 * @param streams blocks of audio channels, the same number in each stream
 */
export async function* sumBlocks(
  streams: readonly AsyncIterable<Float32Array[]>[],
): AsyncGenerator<Float32Array[]> {
  for await (const blocks of alignBlocks(streams)) {
    const [first = []] = blocks;
    yield first.map((_, channel) => {
      const total = new Float64Array(first[channel]?.length ?? 0);
      for (const block of blocks)
        for (const [i, sample] of (block[channel] ?? []).entries()) total[i] = (total[i] as number) + sample;
      return Float32Array.from(total);
    });
  }
}
