/** A detected note. */
export interface NoteEvent {
  readonly startSeconds: number;
  /** End, later than the start. */
  readonly endSeconds: number;
  /** MIDI number, 21 (A0) to 108 (C8). */
  readonly pitch: number;
  /** Confidence from 0 to 1: the mean activity over the length of the note. */
  readonly amplitude: number;
  /** Deviation from the pitch over the length of the note in cents, at equal time intervals; at least one value. */
  readonly bendsCents: readonly number[];
}

/** Parameters of note extraction. */
export interface NoteOptions {
  /** Onset threshold, 0 to 1; a lower value gives more notes. */
  readonly onsetThreshold: number;
  /** Activity threshold, 0 to 1; a lower value gives longer notes. */
  readonly frameThreshold: number;
  /** Duration below which notes are dropped. */
  readonly minimumNoteSeconds: number;
}

/** Parameters of the authors of the paper. */
export const defaultNoteOptions: NoteOptions = {
  onsetThreshold: 0.5,
  frameThreshold: 0.3,
  minimumNoteSeconds: 0.128,
};
