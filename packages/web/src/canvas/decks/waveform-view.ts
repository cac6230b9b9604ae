import type { DeckState } from '@stem-studio/contract/resources/deck-session';

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

/** Waveform of a track as parts of equal length that are drawn once and cached. */
export interface TileSource {
  /**
   * Chooses the zoom level of the next tiles, for a number of pixels per second of the track.
   *
   * @returns columns per second of the track; 0 without a waveform
   */
  chooseZoom(pxPerSecond: number): number;
  /** Returns tile `index` of the chosen zoom level, from 0; null beyond the ends of the track. */
  tile(index: number): CanvasImageSource | null;
}

/** Content of one frame of a deck's waveform; the same object is reused for all frames. */
export interface WaveformView {
  deck: DeckState;
  tiles: TileSource | null;
  beats: readonly number[];
  downbeats: readonly number[];
  sections: readonly Section[];
  durationSeconds: number;
  /** Playback position, in seconds of the track. */
  positionSeconds: number;
  /** Playing time from edge to edge, in seconds. */
  spanSeconds: number;
}
