import { CHUNK_FRAMES, type ChunkSamples } from '@stem-studio/renderer/sources/chunk';
import { FileFetchError } from './fetch-range.ts';

/** Delays before a retry; after the last one a loader gives up. */
const RETRY_MS = [400, 1000, 2500, 5000];

/** Receives the events of a loader. `source` is the index of the stem, 0 for a song. */
export interface LoaderEvents {
  arrived(source: number, chunk: number, samples: ChunkSamples): void;
  dropped(source: number, chunk: number): void;
  failed(error: unknown): void;
}

/** Chunks that stay loaded from a pinned position on: one lasts 1.5 s, and the position may be at its end. */
const PINNED_CHUNKS = 2;

/** Returns the chunks of pinned positions in sample frames, without repetitions. */
export function pinnedChunks(frames: readonly number[]): number[] {
  const chunks = frames.flatMap((frame) => {
    const first = Math.floor(frame / CHUNK_FRAMES);
    return Array.from({ length: PINNED_CHUNKS }, (_, index) => first + index);
  });
  return [...new Set(chunks)];
}

/**
 * Loads the samples of a song or its stems, nearest to the playhead first. A song too long for memory is kept in a
 * window around the playhead and at pinned positions; the rest is dropped and loaded again before it is needed.
 */
export interface AudioLoader {
  /** Loaded part of all chunks, 0 to 1. */
  readonly loadedRatio: number;
  /** Whether the song is too long to be kept as a whole: it loads as it plays. */
  readonly isStreaming: boolean;
  /**
   * Sets the playhead in sample frames. After a jump, missing chunks there are loaded first; with `isReversed` those
   * before it.
   */
  moveTo(
    frame: number,
    loop: { startFrame: number; endFrame: number } | null,
    isJump: boolean,
    isReversed?: boolean,
  ): void;
  /** Sets the positions, in sample frames, whose audio stays loaded wherever the playhead is; first ones first. */
  pin(frames: readonly number[]): void;
  /** Starts loading. */
  fill(): void;
  /** Continues after a failure. */
  retry(): void;
  /** Stops; no event follows. */
  close(): void;
}

/** Returns the delay before the next try after `failures` earlier ones; null to give up. */
export function retryMs(error: unknown, failures: number): number | null {
  const isRetryable = error instanceof FileFetchError && error.isRetryable;
  return (isRetryable ? RETRY_MS[failures] : undefined) ?? null;
}
