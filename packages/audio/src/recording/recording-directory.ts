/** The part of a writable file stream that recordings use. */
export interface WritableFile {
  write(data: Uint8Array<ArrayBuffer>): Promise<void>;
  close(): Promise<void>;
}

/** The part of a synchronous access handle that recordings use; browsers have it in workers only. */
export interface SyncFile {
  /** Returns the number of bytes that were written. */
  write(data: Uint8Array<ArrayBuffer>, options: { at: number }): number;
  truncate(bytes: number): void;
  flush(): void;
  close(): void;
}

/** The part of a file of the origin-private file system that recordings use. */
export interface RecordingFileHandle {
  getFile(): Promise<Blob>;
  createSyncAccessHandle?(): Promise<SyncFile>;
  createWritable?(): Promise<WritableFile>;
}

/** The part of a directory of the origin-private file system that recordings use. */
export interface RecordingDirectory {
  getDirectoryHandle(name: string, options?: { create?: boolean }): Promise<RecordingDirectory>;
  getFileHandle(name: string, options?: { create?: boolean }): Promise<RecordingFileHandle>;
  removeEntry(name: string, options?: { recursive?: boolean }): Promise<void>;
  keys(): AsyncIterable<string>;
}

/**
 * Files of a stored recording in its directory, `recordings/<id>`. Segments of audio are `audio-000000.pcm`,
 * `audio-000001.pcm` …: interleaved 24-bit samples, left first, little-endian, without a header.
 */
export const recordingFiles = {
  folder: 'recordings',
  description: 'recording.json',
  notes: 'notes.ndjson',
  /** Empty file, present once the recording was ended and not interrupted. */
  finished: 'finished',
  /** Empty file, present once the recording was saved outside of the browser's storage. */
  saved: 'saved',
  segment: (index: number) => `audio-${String(index).padStart(6, '0')}.pcm`,
  isSegment: (name: string) => /^audio-\d{6}\.pcm$/.test(name),
} as const;

/** Bytes of a sample of a stored recording. */
export const SAMPLE_BYTES = 3;
/** Bytes of a stereo frame of a stored recording. */
export const FRAME_BYTES = 2 * SAMPLE_BYTES;
