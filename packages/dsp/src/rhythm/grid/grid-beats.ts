import { measureTempo } from '../measured-tempo.ts';
import { type TempoPoint, tempoCurve } from '../tempo-curve.ts';
import { beatsPerBarOf } from '../time-signature.ts';
import { beatCountOf, type HandGrid } from './grid-rule.ts';

/** The beats of a grid in one song. */
export interface GridBeats {
  /** Seconds from 0 to the end of the song, ascending, to a tenth of a millisecond. */
  readonly beats: readonly number[];
  /** Those of `beats` that begin a bar. */
  readonly downbeats: readonly number[];
  /** Beats a minute with two decimals. */
  readonly bpm: number;
  readonly isStable: boolean;
  /** Where the tempo moves; empty where it stays. */
  readonly curve: readonly TempoPoint[];
}

/** How far outside of the song a beat may be counted and still be taken for its edge, in beats. */
const EDGE = 1e-6;

/**
 * All beats of a grid from the beginning of a song to its end.
 *
 * @param heard what a following grid follows, in seconds, ascending
 * @param durationSeconds length of the song; none is beyond it
 * @throws RangeError where a following grid has fewer than two beats to follow
 */
export function gridBeatsOf(grid: HandGrid, heard: readonly number[], durationSeconds: number): GridBeats {
  const { secondsOf, countOf } = beatCountOf(grid, heard);
  const beatsPerBar = beatsPerBarOf(grid.timeSignature);
  const beats: number[] = [];
  const downbeats: number[] = [];
  const end = Math.floor(countOf(durationSeconds) + EDGE);
  for (let count = Math.ceil(countOf(0) - EDGE); count <= end; count++) {
    const seconds = Math.round(Math.min(durationSeconds, Math.max(0, secondsOf(count))) * 10_000) / 10_000;
    beats.push(seconds);
    if (count % beatsPerBar === 0) downbeats.push(seconds);
  }
  if (grid.kind === 'even') {
    return { beats, downbeats, bpm: Math.round(grid.bpm * 100) / 100, isStable: true, curve: [] };
  }
  const { bpm, isStable } = measureTempo(beats);
  return { beats, downbeats, bpm, isStable, curve: tempoCurve(beats, isStable) };
}
