import type { ReadableStem, ReadRange } from '@stem-studio/renderer/sources/stem-file';

/** Fetches bytes `from` to `to` (excluded) of a file; fewer where the file ends before. */
export type FetchRange = ReadRange<AbortSignal>;

/** A WAV file over HTTP with random access. */
export type StemFile = ReadableStem<AbortSignal>;
