import type { ChunkSamples } from '@stem-studio/renderer/sources/chunk';
import { FileFetchError } from './fetch-range.ts';

/** Delays before a retry; after the last one a loader gives up. */
const RETRY_MS = [400, 1000, 2500, 5000];

/** Receives the events of a loader. `source` is the index of the stem, 0 for a song. */
export interface LoaderEvents {
  arrived(source: number, chunk: number, samples: ChunkSamples): void;
  dropped(source: number, chunk: number): void;
  failed(error: unknown): void;
}

/** Loads the samples of a song or its stems, nearest to the playhead first, and keeps as much as fits in memory. */
export interface AudioLoader {
  /** Loaded part of all chunks, 0 to 1. */
  readonly loadedRatio: number;
  /** Sets the playhead in sample frames. After a jump, missing chunks there are loaded first. */
  moveTo(frame: number, loop: { startFrame: number; endFrame: number } | null, isJump: boolean): void;
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
