/** A note that was heard. */
export interface NoteEvent {
  readonly startSeconds: number;
  /** Later than the start. */
  readonly endSeconds: number;
  /** MIDI number, 21 (A0) to 108 (C8). */
  readonly pitch: number;
  /** How surely it sounds, 0 to 1: the mean of what the network answers over its length. */
  readonly amplitude: number;
  /** How far from the pitch it lies over its length, in cents, at equal distances in time; at least one. */
  readonly bendsCents: readonly number[];
}

/** How notes are made of a map. */
export interface NoteOptions {
  /** How much a note must begin, 0 to 1: lower makes more notes. */
  readonly onsetThreshold: number;
  /** How much a note must sound to go on, 0 to 1: lower makes longer notes. */
  readonly frameThreshold: number;
  /** Shorter notes are left out. */
  readonly minimumNoteSeconds: number;
}

/** The settings of the paper's authors. */
export const defaultNoteOptions: NoteOptions = {
  onsetThreshold: 0.5,
  frameThreshold: 0.3,
  minimumNoteSeconds: 0.128,
};
