import { CHUNK_FRAMES, CHUNK_SHIFT } from '../sources/chunk.ts';
import type { Arrangement } from './arrangement.ts';
import { firstReadFrame, lastReadFrame, readAt } from './warp-map.ts';

/** A chunk of a source. */
export interface NeededChunk {
  readonly source: number;
  readonly index: number;
}

/**
 * Returns the chunks that a part of the timeline plays, in the order in which they are played, each once.
 *
 * @param sourceFrames lengths of the sources in frames
 * @param rateHz their sample rate
 */
export function neededChunks(
  { lanes }: Arrangement,
  startFrame: number,
  endFrame: number,
  sourceFrames: readonly number[],
  rateHz: number,
): NeededChunk[] {
  const found = new Map<string, NeededChunk & { readonly atFrame: number }>();
  for (const { clips } of lanes) {
    for (const clip of clips) {
      const from = Math.max(startFrame, clip.startFrame);
      const to = Math.min(endFrame, clip.endFrame);
      if (to <= from) continue;
      const { warp, offsetFrames } = clip;
      const [start, end] = [from - offsetFrames, to - offsetFrames];
      const length = sourceFrames[clip.source] ?? 0;
      const sourceEnd = Math.min(warp ? lastReadFrame(warp, start, end, rateHz) : end, length);
      const first = Math.max(0, warp ? firstReadFrame(warp, start, end, rateHz) : start);
      if (sourceEnd <= first) continue;
      for (let index = first >> CHUNK_SHIFT; index <= (sourceEnd - 1) >> CHUNK_SHIFT; index++) {
        const chunkFrom = index << CHUNK_SHIFT;
        const readAtFrame = warp ? readAt(warp, chunkFrom, chunkFrom + CHUNK_FRAMES, rateHz) : chunkFrom;
        const atFrame = Math.max(from, readAtFrame + offsetFrames);
        const key = `${clip.source} ${index}`;
        const known = found.get(key);
        if (!known || atFrame < known.atFrame) found.set(key, { source: clip.source, index, atFrame });
      }
    }
  }
  return [...found.values()]
    .sort((one, other) => one.atFrame - other.atFrame || one.source - other.source)
    .map(({ source, index }) => ({ source, index }));
}
