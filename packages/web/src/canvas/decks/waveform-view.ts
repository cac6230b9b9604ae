import type { DeckState } from '@stem-studio/contract/resources/deck-session';
import type { WaveformTiles } from './waveform-tiles.ts';

/** A labelled section of a track, in seconds. */
export interface Section {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** Colours of the markers of a waveform. */
export interface WaveformMarks {
  readonly deck: string;
  readonly beat: string;
  readonly bar: string;
  readonly text: string;
  readonly ground: string;
  readonly outside: string;
  readonly cue: string;
}

/** Content of one frame of a deck's waveform; the same object is reused for all frames. */
export interface WaveformView {
  deck: DeckState;
  tiles: WaveformTiles | null;
  beats: readonly number[];
  downbeats: readonly number[];
  sections: readonly Section[];
  durationSeconds: number;
  /** Playback position, in seconds of the track. */
  positionSeconds: number;
  /** Playing time from edge to edge, in seconds. */
  spanSeconds: number;
}
