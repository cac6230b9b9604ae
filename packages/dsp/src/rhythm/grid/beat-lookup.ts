import { beatAt, secondsAtBeat } from '../../time/beat-position.ts';
import { firstFrom } from '../../time/first-from.ts';
import type { RhythmFields } from '../rhythm-fields.ts';
import { beatsPerBarOf } from '../time-signature.ts';

/** Beats closer than this are one beat. */
const LEAST_SECONDS = 0.02;
/** Largest distance between a beat and the downbeat at the same time. */
const SAME_SECONDS = 0.005;
/** Half the length of a beat that is the only one. */
const LONE_SECONDS = 0.25;
/** Beats on either side over which the local tempo is averaged, so that one late beat does not change it. */
const REACH_BEATS = 2;

/** Conversion between times and beats: beat numbers may be fractional, negative or beyond the last beat. */
export interface BeatTimeline {
  /** Returns the time of a beat in seconds. */
  readonly secondsAt: (beat: number) => number;
  /** Returns the beat at a time, a fraction between two beats. */
  readonly beatAt: (seconds: number) => number;
}

interface Bars {
  readonly starts: readonly number[];
  readonly startSeconds: readonly number[];
  readonly barOf: readonly number[];
}

/**
 * Looks up beats and bars of a song by time while it plays or is processed.
 *
 * Beats and bars are numbered from 0; beats before the first whole bar are in bar −1. Lookups allocate nothing, except
 * the first one that needs bars.
 */
export class BeatLookup implements BeatTimeline {
  /** Beat times in seconds, ascending. */
  readonly beats: readonly number[];
  readonly beatsPerBar: number;
  readonly #isDownbeat: Uint8Array;
  #bars: Bars | null = null;

  /**
   * @param beats seconds; values that are not finite are dropped, and of beats closer than 20 ms all but the first
   * @param downbeats those of `beats` that begin a bar; without any, bars are counted from the first beat
   */
  constructor(beats: ArrayLike<number>, downbeats: ArrayLike<number>, beatsPerBar = 4) {
    this.beats = Array.from(beats)
      .filter(Number.isFinite)
      .sort((left, right) => left - right)
      .filter((time, index, all) => index === 0 || time - all[index - 1]! >= LEAST_SECONDS);
    this.beatsPerBar = beatsPerBar;
    const starts = Array.from(downbeats).sort((left, right) => left - right);
    let next = 0;
    this.#isDownbeat = Uint8Array.from(this.beats, (beat) => {
      while (next < starts.length && starts[next]! < beat - SAME_SECONDS) next++;
      return next < starts.length && starts[next]! <= beat + SAME_SECONDS ? 1 : 0;
    });
  }

  /** Whether there are the two beats that a tempo needs. */
  get hasTempo(): boolean {
    return this.beats.length >= 2;
  }

  /** Number of beats. */
  get count(): number {
    return this.beats.length;
  }

  /** See {@link beatAt}. */
  beatAt(seconds: number): number {
    return beatAt(seconds, this.beats);
  }

  /** See {@link secondsAtBeat}. */
  secondsAt(beat: number): number {
    return secondsAtBeat(beat, this.beats);
  }

  /** Returns the tempo around a beat in beats per second. */
  tempoAt(beat: number): number {
    return (2 * REACH_BEATS) / (this.secondsAt(beat + REACH_BEATS) - this.secondsAt(beat - REACH_BEATS));
  }

  /** Whether a beat is one of the downbeats. */
  isDownbeat(beat: number): boolean {
    return this.#isDownbeat[beat] === 1;
  }

  /** Returns the first beat at or after a time; the number of beats if there is none. */
  nextBeat(seconds: number): number {
    const beat = this.hasTempo ? Math.ceil(this.beatAt(seconds) - 1e-9) : this.beats.length;
    return Math.min(this.beats.length, Math.max(0, beat));
  }

  /**
   * Returns the time nearest to `target` with the same beat phase as `from`, in seconds from 0 on; `target` where there
   * is no tempo.
   */
  inPhase(target: number, from: number): number {
    if (!this.hasTempo) return target;
    const phase = this.beatAt(from) % 1;
    const beat = Math.round(this.beatAt(target) - phase) + phase;
    const seconds = this.secondsAt(beat);
    return seconds >= 0 ? seconds : this.secondsAt(beat + 1);
  }

  /** Beats at which bars begin, ascending. */
  get barStarts(): readonly number[] {
    return this.#findBars().starts;
  }

  /** Bar of each beat. */
  get barOf(): readonly number[] {
    return this.#findBars().barOf;
  }

  /** Returns the length in beats of the bar at a beat; of the nearest complete one before the first and after the last. */
  barLengthAt(beat: number): number {
    const { starts } = this.#findBars();
    if (starts.length < 2) return this.beatsPerBar;
    const bar = Math.min(starts.length - 2, Math.max(0, this.#barAt(beat)));
    return starts[bar + 1]! - starts[bar]!;
  }

  /** Returns the distance of a beat from the downbeat before it, in beats; bars continue before the first and last beat. */
  beatInBar(beat: number): number {
    const length = this.barLengthAt(beat);
    const { starts } = this.#findBars();
    const since = beat - (starts[Math.max(0, this.#barAt(beat))] ?? 0);
    return since - length * Math.floor(since / length);
  }

  #barAt(beat: number): number {
    const { starts, barOf } = this.#findBars();
    if (beat < 0) return -1;
    return barOf[Math.floor(beat)] ?? starts.length - 1;
  }

  /** Returns the beat nearest to a time, or the beginning of a bar if one is at most one beat from it. */
  snap(seconds: number): number {
    const { starts, startSeconds } = this.#findBars();
    const near = nearest(this.beats, seconds);
    const barStart = starts[nearest(startSeconds, seconds)] ?? near;
    return Math.abs(barStart - near) <= 1 ? barStart : near;
  }

  /** Returns the beat that is less than half a beat from a time; null if there is none. */
  beatNear(seconds: number): number | null {
    const { beats } = this;
    const near = nearest(beats, seconds);
    const time = beats[near];
    if (time === undefined) return null;
    const [side, otherSide] = seconds < time ? [near - 1, near + 1] : [near + 1, near - 1];
    const other = beats[side] ?? beats[otherSide];
    const half = other === undefined ? LONE_SECONDS : Math.abs(other - time) / 2;
    return Math.abs(seconds - time) <= half ? near : null;
  }

  #findBars(): Bars {
    this.#bars ??= findBars(this.beats, this.#isDownbeat, this.beatsPerBar);
    return this.#bars;
  }
}

/** Creates the lookup of the beats in an analysis or a beat grid; absent fields stand for no beats, 4/4. */
export function beatLookupOf(
  rhythm: Readonly<Partial<Pick<RhythmFields, 'beats' | 'downbeats' | 'time_signature'>>>,
): BeatLookup {
  const { beats = [], downbeats = [], time_signature = '' } = rhythm;
  return new BeatLookup(beats, downbeats, beatsPerBarOf(time_signature));
}

function findBars(beats: readonly number[], isDownbeat: Uint8Array, beatsPerBar: number): Bars {
  const hasDownbeats = isDownbeat.includes(1);
  const starts = beats.flatMap((_, beat) =>
    (hasDownbeats ? isDownbeat[beat] === 1 : beat % beatsPerBar === 0) ? [beat] : [],
  );
  let bar = -1;
  return {
    starts,
    startSeconds: starts.map((beat) => beats[beat] ?? 0),
    barOf: beats.map((_, beat) => (starts[bar + 1] === beat ? ++bar : bar)),
  };
}

/** Returns the index of the value nearest to `wanted`; `values` ascend, 0 if there are none. */
function nearest(values: readonly number[], wanted: number): number {
  const next = firstFrom(values, wanted);
  const before = values[next - 1];
  const after = values[next];
  if (after === undefined) return Math.max(0, values.length - 1);
  return before !== undefined && wanted - before <= after - wanted ? next - 1 : next;
}
