/** Chunks of a song, both included. */
export interface ChunkWindow {
  first: number;
  last: number;
}

/**
 * What a page tells the worker that decodes songs. `pass` numbers the ways through a file: news of an earlier one is no
 * news.
 */
export type SongDecoderCommand =
  /** Decodes a file from the first chunk of the window on; what is wanted is sent, and decoding waits at the window's end. */
  | { type: 'decode'; pass: number; address: string; durationMs: number; window: ChunkWindow }
  | { type: 'window'; pass: number; window: ChunkWindow }
  | { type: 'stop' };

/** What the worker tells the page. */
export type SongDecoderEvent =
  | { type: 'shape'; pass: number; sampleRateHz: number; channels: number; frames: number }
  | { type: 'chunk'; pass: number; index: number; samples: Int16Array<ArrayBuffer> }
  /** Every chunk before `next` has gone by. */
  | { type: 'progress'; pass: number; next: number }
  | { type: 'failed'; pass: number; message: string; isRetryable: boolean };

/** Where songs are decoded: in the browser a worker, in tests the same code in the same thread. */
export interface SongDecoderPort {
  post(command: SongDecoderCommand): void;
  /** Who hears the decoder's news; one listener. */
  onEvent(heard: (news: SongDecoderEvent) => void): void;
  dispose(): void;
}
