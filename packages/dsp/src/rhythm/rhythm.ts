import type { RhythmAlternative } from './rhythm-alternatives.ts';

/** Tempo, beats and bars of a song, detected or made from a grid rule. */
export interface Rhythm {
  /** Beats per minute with two decimals; 0 if there is no pulse. */
  readonly bpm: number;
  /** Probability that tempo and beats are right, 0 to 1. */
  readonly confidence: number;
  /** Whether nine of ten spans of eight beats keep within 1.5 % of the tempo. */
  readonly isStable: boolean;
  /** Seconds, ascending. */
  readonly beats: readonly number[];
  /** Those of `beats` that begin a bar. */
  readonly downbeats: readonly number[];
  /** Beats in a bar: 3, 4, or 2 beats of three eighths; 0 if there is no pulse. */
  readonly beatsPerBar: number;
  /** `4/4`, `3/4`, `6/8` and so on; empty if there is no pulse. */
  readonly timeSignature: string;
  /** Other rhythms that the track may have, the most probable first; only of a detected rhythm. */
  readonly alternatives?: readonly RhythmAlternative[];
}

/** Rhythm of audio without a pulse. */
export const noPulse: Rhythm = {
  bpm: 0,
  confidence: 0,
  isStable: false,
  beats: [],
  downbeats: [],
  beatsPerBar: 0,
  timeSignature: '',
};
