import type { DeckState } from '@stem-studio/contract/resources/deck-session';
import type { WaveformTiles } from './waveform-tiles.ts';

/** A named part of a song, in seconds. */
export interface Section {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** Colours of a waveform's marks, read from the style sheet. */
export interface WaveformMarks {
  readonly deck: string;
  readonly beat: string;
  readonly bar: string;
  readonly text: string;
  readonly ground: string;
  readonly outside: string;
  readonly cue: string;
}

/** What one picture of a deck's waveform shows. The same object serves all pictures. */
export interface WaveformView {
  deck: DeckState;
  tiles: WaveformTiles | null;
  beats: readonly number[];
  downbeats: readonly number[];
  sections: readonly Section[];
  durationSeconds: number;
  /** What is heard now, in seconds of the song. */
  positionSeconds: number;
  /** Seconds of sound from edge to edge. */
  spanSeconds: number;
}
