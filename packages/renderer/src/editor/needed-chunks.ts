import { CHUNK_SHIFT } from '../sources/chunk.ts';
import type { Arrangement } from './arrangement.ts';

/** A chunk of a source. */
export interface NeededChunk {
  readonly source: number;
  readonly index: number;
}

/**
 * Returns the chunks that a part of the timeline plays, in the order in which they are played, each once.
 *
 * @param sourceFrames lengths of the sources in frames
 */
export function neededChunks(
  { lanes }: Arrangement,
  startFrame: number,
  endFrame: number,
  sourceFrames: readonly number[],
): NeededChunk[] {
  const found = new Map<string, NeededChunk & { readonly atFrame: number }>();
  for (const { clips } of lanes) {
    for (const clip of clips) {
      const from = Math.max(startFrame, clip.startFrame);
      const to = Math.min(endFrame, clip.endFrame);
      const sourceEnd = Math.min(to - clip.offsetFrames, sourceFrames[clip.source] ?? 0);
      const first = Math.max(0, from - clip.offsetFrames);
      if (to <= from || sourceEnd <= first) continue;
      for (let index = first >> CHUNK_SHIFT; index <= (sourceEnd - 1) >> CHUNK_SHIFT; index++) {
        const atFrame = Math.max(from, (index << CHUNK_SHIFT) + clip.offsetFrames);
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
