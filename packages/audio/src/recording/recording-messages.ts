import type { DeckId } from '@stem-studio/contract/resources/deck-id';

/** A change of what a deck contributes to a recording. */
export interface RecordingNote {
  /** Position in the recording, in seconds. */
  readonly seconds: number;
  readonly deck: DeckId;
  /** Song that is on air on this deck from now on; null for none. */
  readonly song: { readonly track_id: string; readonly title: string; readonly artist: string } | null;
}

/** Facts about a recording that are stored when it starts. */
export interface RecordingDescription {
  readonly version: 1;
  /** User who records; nobody else is offered the recording. */
  readonly user_id: number;
  /** Time of the start in ms since 1970. */
  readonly started_at: number;
  readonly sample_rate_hz: number;
}

/** Commands to the worker that stores a recording. */
export type RecordingCommand =
  | { type: 'open'; id: string; description: RecordingDescription }
  /** Interleaved samples, left first. They come back by `buffer`. */
  | { type: 'samples'; samples: Float32Array<ArrayBuffer> }
  | { type: 'note'; note: RecordingNote }
  /** Ends the recording; everything sent before is stored first. */
  | { type: 'finish' };

/** Events of the worker that stores a recording. */
export type RecordingEvent =
  | { type: 'opened' }
  | { type: 'buffer'; samples: Float32Array<ArrayBuffer> }
  /** Nothing further is stored; what was stored before remains. */
  | { type: 'failed'; isFull: boolean; message: string }
  | { type: 'finished' };
