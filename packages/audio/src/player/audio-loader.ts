import type { ChunkSamples } from '@stem-studio/renderer/sources/chunk';
import { FileFetchError } from './fetch-range.ts';

/** Waits before what failed is tried again; after the last of them a loader gives up. */
const RETRY_MS = [400, 1000, 2500, 5000];

/** Who hears of what comes and goes. `source` is the stem, or 0 of a song alone. */
export interface LoaderEvents {
  arrived(source: number, chunk: number, samples: ChunkSamples): void;
  dropped(source: number, chunk: number): void;
  failed(error: unknown): void;
}

/** What brings the samples of a song or its stems, nearest to the listener first, and keeps what memory can hold. */
export interface AudioLoader {
  /** Part of all chunks that is here, 0 to 1. */
  readonly loadedRatio: number;
  /** Says where the listener is, in sample frames. After a jump what is missing there comes first. */
  moveTo(frame: number, loop: { startFrame: number; endFrame: number } | null, isJump: boolean): void;
  /** Begins. */
  fill(): void;
  /** Goes on after a failure. */
  retry(): void;
  /** Ends; nothing is sent any more. */
  close(): void;
}

/** How long to wait before trying again after `failures` earlier downbeats; null where that helps no more. */
export function retryMs(error: unknown, failures: number): number | null {
  const isRetryable = error instanceof FileFetchError && error.isRetryable;
  return (isRetryable ? RETRY_MS[failures] : undefined) ?? null;
}
