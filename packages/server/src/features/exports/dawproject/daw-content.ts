import type { ProjectState } from '@stem-studio/contract/resources/project';
import type { StemType } from '@stem-studio/contract/resources/stem';
import { type TempoMap, TICKS_PER_QUARTER } from '@stem-studio/dsp/notes/midi/tempo-map';

/** A stem as a file of a DAWproject. */
export interface DawStem {
  readonly source: StemType;
  /** Path in the ZIP. */
  readonly path: string;
  readonly seconds: number;
  readonly sampleRateHz: number;
  readonly channels: number;
}

/** What a DAWproject contains. */
export interface DawContent {
  readonly state: ProjectState;
  readonly stems: readonly DawStem[];
  readonly map: TempoMap;
  /** Markers and cue points on the timeline. */
  readonly markers: readonly { readonly ms: number; readonly label: string }[];
}

/** Times of the project in quarter notes, in which a DAWproject counts. */
export interface BeatTime {
  /** Returns the position of a time of the timeline, in quarter notes from its start. */
  readonly beatAt: (ms: number) => number;
  /** Times at which the tempo changes, in ms, ascending. */
  readonly tempoChangesMs: readonly number[];
}

/** Returns the conversion to quarter notes of a tempo map. */
export function beatTimeOf(map: TempoMap): BeatTime {
  let ms = 0;
  const tempoChangesMs = map.tempos.map(({ tick }, index) => {
    const before = map.tempos[index - 1];
    if (before) ms += ((tick - before.tick) * before.microsecondsPerQuarter) / (1000 * TICKS_PER_QUARTER);
    return ms;
  });
  return {
    beatAt: (at) => map.tickAt(Math.max(0, at) / 1000) / TICKS_PER_QUARTER,
    tempoChangesMs: tempoChangesMs.slice(1),
  };
}
