/** A range of chunks, both ends included. */
export interface ChunkWindow {
  first: number;
  last: number;
}

/** Commands to the decoder worker. `pass` numbers the passes through a file: events of an earlier pass are ignored. */
export type SongDecoderCommand =
  /** Decodes a file from the first chunk of the window on; decoding waits at the end of the window. */
  | { type: 'decode'; pass: number; address: string; durationMs: number; window: ChunkWindow }
  | { type: 'window'; pass: number; window: ChunkWindow }
  | { type: 'stop' };

/** Events of the decoder worker. */
export type SongDecoderEvent =
  | { type: 'shape'; pass: number; sampleRateHz: number; channels: number; frames: number }
  | { type: 'chunk'; pass: number; index: number; samples: Int16Array<ArrayBuffer> }
  /** Every chunk before `next` is decoded. */
  | { type: 'progress'; pass: number; next: number }
  | { type: 'failed'; pass: number; message: string; isRetryable: boolean };

/** Port to the decoder: a worker in the browser, the same thread in tests. */
export interface SongDecoderPort {
  post(command: SongDecoderCommand): void;
  /** Sets the listener for events; there is one. */
  onEvent(listener: (event: SongDecoderEvent) => void): void;
  dispose(): void;
}
