import { beatsPerBarOf } from '../../rhythm/time-signature.ts';
import { firstFrom } from '../../time/first-from.ts';
import type { CueGround } from './cue-plan.ts';

/** Beats nearer than this are one: nobody counts as fast. */
const LEAST_SECONDS = 0.02;
/** What belongs to a beat that is the only one. */
const LONE_SECONDS = 0.25;
/** Two times this near are the same beat. */
const SAME_SECONDS = 0.005;

/** The beats of a track and the bars they are counted in. Bars are numbered from 0 here; −1 is what comes before. */
export interface BeatGrid {
  /** Seconds, ascending. */
  readonly beats: readonly number[];
  readonly beatsPerBar: number;
  /** Beats at which bars begin, ascending. */
  readonly barStarts: readonly number[];
  /** The bar of each beat. */
  readonly barOf: readonly number[];
  /** The beat nearest to a time, at the beginning of a bar where one begins within a beat of it. */
  snap(seconds: number): number;
  /** The beat that a time belongs to, being within half a beat of it; null where there is none. */
  at(seconds: number): number | null;
}

/** The grid of what an analysis heard; without downbeats bars of the metre are counted from the first beat. */
export function beatGridOf(ground: CueGround): BeatGrid {
  const beats = (ground.beats ?? [])
    .filter(Number.isFinite)
    .toSorted((left, right) => left - right)
    .filter((time, index, all) => index === 0 || time - (all[index - 1] ?? 0) >= LEAST_SECONDS);
  const beatsPerBar = beatsPerBarOf(ground.time_signature ?? '');
  const downbeats = (ground.downbeats ?? []).toSorted((left, right) => left - right);
  let next = 0;
  const heard = beats.flatMap((time, index) => {
    while ((downbeats[next] ?? Number.POSITIVE_INFINITY) < time - SAME_SECONDS) next++;
    return Math.abs((downbeats[next] ?? Number.POSITIVE_INFINITY) - time) <= SAME_SECONDS ? [index] : [];
  });
  const barStarts =
    heard.length > 0 ? heard : beats.map((_, at) => at).filter((at) => at % beatsPerBar === 0);
  const barTimes = barStarts.map((at) => beats[at] ?? 0);
  let bar = -1;
  const barOf = beats.map((_, at) => (barStarts[bar + 1] === at ? ++bar : bar));
  return {
    beats,
    beatsPerBar,
    barStarts,
    barOf,
    snap(seconds) {
      const near = nearest(beats, seconds);
      const barStart = barStarts[nearest(barTimes, seconds)] ?? near;
      return Math.abs(barStart - near) <= 1 ? barStart : near;
    },
    at(seconds) {
      const near = nearest(beats, seconds);
      const time = beats[near];
      if (time === undefined) return null;
      const other =
        beats[seconds < time ? near - 1 : near + 1] ?? beats[seconds < time ? near + 1 : near - 1];
      const half = other === undefined ? LONE_SECONDS : Math.abs(other - time) / 2;
      return Math.abs(seconds - time) <= half ? near : null;
    },
  };
}

/** Index of the value next to `wanted`; `values` ascend, 0 where there are none. */
function nearest(values: readonly number[], wanted: number): number {
  const next = firstFrom(values, wanted);
  const before = values[next - 1];
  const after = values[next];
  if (after === undefined) return Math.max(0, values.length - 1);
  return before !== undefined && wanted - before <= after - wanted ? next - 1 : next;
}
