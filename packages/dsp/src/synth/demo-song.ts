import type { CoverDesign } from './picture/cover-design.ts';
import type { Arrangement } from './sequence/arrangement.ts';

/** A labelled stretch of a song, in seconds; the next one begins where this one ends. */
export interface LabelledSpan {
  readonly start: number;
  readonly end: number;
  readonly label: string;
}

/** A line of the text with the time in which it is sung. */
export interface LyricLine {
  readonly start: number;
  readonly end: number;
  readonly text: string;
}

/** A song of our own, with everything that is known about it because it was composed so. */
export interface DemoSong {
  /** Name for addresses and files, kebab-case. */
  readonly slug: string;
  readonly title: string;
  readonly artist: string;
  readonly album: string;
  readonly genre: string;
  readonly year: number;
  /** Beats per minute, constant; in 6/8 a beat is a dotted quarter, three eighths. */
  readonly tempo: number;
  readonly time_signature: string;
  /** `A minor`, `F# major`: spelled with sharps. */
  readonly key: string;
  readonly duration_seconds: number;
  /** From 0 to the end without gaps; labels intro, verse, build, drop, chorus, breakdown, bridge, outro. */
  readonly sections: readonly LabelledSpan[];
  /** Times of all beats in seconds, the first at 0. */
  beats(): number[];
  /** Times of the first beats of all bars in seconds. */
  downbeats(): number[];
  /** Chords from 0 to the end without gaps, labelled like `Am7` or `F#maj7`. */
  readonly chords: readonly LabelledSpan[];
  readonly lyrics: readonly LyricLine[];
  /** What `renderCover` draws. */
  readonly cover: CoverDesign;
  /** Writes the song out, note by note; called once for each rendering. */
  arrange(): Arrangement;
}
