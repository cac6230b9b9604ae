import { runInThread } from '../../platform/process/thread.ts';
import type { EncodeStemRequest } from './encode-stem.ts';
import type { EncodeStemFileRequest } from './encode-stem-file.ts';

/**
 * Encodes a stem as a file with tags in a thread that ends immediately when the signal aborts. The caller removes a
 * partial file after an abort or error.
 */
export function encodeInThread(request: EncodeStemRequest, signal: AbortSignal): Promise<void> {
  return runInThread<void>({
    module: new URL('./encode-stem.thread.ts', import.meta.url),
    input: request,
    signal,
  });
}

/** Writes a STEM file in a thread, as {@link encodeInThread} does for a stem. */
export function encodeStemFileInThread(request: EncodeStemFileRequest, signal: AbortSignal): Promise<void> {
  return runInThread<void>({
    module: new URL('./encode-stem-file.thread.ts', import.meta.url),
    input: request,
    signal,
  });
}
