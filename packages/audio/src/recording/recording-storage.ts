import type { RecordingNote } from './recording-messages.ts';

/** What can happen to a recording that is being stored. */
export interface RecordingStorageEvents {
  /** Recorded samples are stored from now on. */
  opened(): void;
  /** Samples were stored; their buffer may be filled again. */
  buffer(samples: Float32Array<ArrayBuffer>): void;
  /** Nothing further is stored. What was stored before remains, unless nothing was opened. */
  failed(failure: { readonly isFull: boolean; readonly message: string }): void;
}

/** A recording that is stored while it runs. */
export interface RecordingStorage {
  /** Name of the recording in the storage. */
  readonly id: string;
  /** Stores samples; takes their buffer. */
  add(samples: Float32Array<ArrayBuffer>): void;
  note(note: RecordingNote): void;
  /** Ends the recording; resolves with its WAV file once everything is stored. */
  finish(): Promise<Blob>;
}

/** Opens the storage of a new recording; null where this browser has none. */
export type OpenRecordingStorage = (
  sampleRateHz: number,
  events: RecordingStorageEvents,
) => RecordingStorage | null;
