import type { CoverDesign } from './image/cover-design.ts';
import type { Arrangement } from './sequence/arrangement.ts';

/** A labelled span of a song in seconds; the next one begins where this one ends. */
export interface LabelledSpan {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** A line of the lyrics with its start and end. */
export interface LyricLine {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A demo song with exactly known properties, because it was composed for this project. */
export interface DemoSong {
  /** Name for URLs and files, kebab-case. */
  readonly slug: string;
  readonly title: string;
  readonly artist: string;
  readonly album: string;
  readonly genre: string;
  readonly year: number;
  /** Beats per minute, constant; in 6/8 a beat is a dotted quarter, three eighths. */
  readonly tempo: number;
  readonly time_signature: string;
  /** Key such as `A minor` or `F# major`, spelled with sharps. */
  readonly key: string;
  readonly duration_seconds: number;
  /** Sections from 0 to the end without gaps; labels intro, verse, build, drop, chorus, breakdown, bridge, outro. */
  readonly sections: readonly LabelledSpan[];
  /** Returns the times of all beats in seconds, the first at 0. */
  beats(): number[];
  /** Returns the downbeats in seconds. */
  downbeats(): number[];
  /** Chords from 0 to the end without gaps, labelled like `Am7` or `F#maj7`. */
  readonly chords: readonly LabelledSpan[];
  readonly lyrics: readonly LyricLine[];
  /** Design rendered by `renderCover`. */
  readonly cover: CoverDesign;
  /** Creates the score, note by note; called once per rendering. */
  arrange(): Arrangement;
}
