/** A note of a transcription. */
export interface PlayableNote {
  /** Start and end in seconds of the song. */
  readonly startSeconds: number;
  readonly endSeconds: number;
  /** MIDI number, 60 for middle C. */
  readonly pitch: number;
  /** 1 to 127. */
  readonly velocity: number;
}
