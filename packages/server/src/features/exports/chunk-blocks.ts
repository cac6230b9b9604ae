import { CHUNK_FRAMES } from '@stem-studio/renderer/sources/chunk';

/** Yields interleaved chunks of {@link CHUNK_FRAMES} frames; the last one is filled with silence. */
export async function* chunkBlocks(
  blocks: AsyncIterable<Float32Array[]>,
  channels: number,
): AsyncGenerator<Float32Array<ArrayBuffer>, undefined> {
  let chunk = new Float32Array(CHUNK_FRAMES * channels);
  let filled = 0;
  for await (const block of blocks) {
    const length = block[0]?.length ?? 0;
    for (let from = 0; from < length; ) {
      const count = Math.min(length - from, CHUNK_FRAMES - filled);
      for (const [channel, samples] of block.entries())
        for (let n = 0; n < count; n++) chunk[(filled + n) * channels + channel] = samples[from + n] ?? 0;
      filled += count;
      from += count;
      if (filled < CHUNK_FRAMES) continue;
      yield chunk;
      chunk = new Float32Array(CHUNK_FRAMES * channels);
      filled = 0;
    }
  }
  if (filled > 0) yield chunk;
  return undefined;
}
