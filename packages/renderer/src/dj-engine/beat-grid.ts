import { beatAt, secondsAtBeat } from '@stem-studio/dsp/time/beat-place';

/** Beats to each side over which a tempo is averaged, so that an imprecise beat does not make it waver. */
const REACH_BEATS = 2;
/** Largest distance between a downbeat and its beat, in seconds. */
const SAME_SECONDS = 0.002;

/** Beats of a deck's song. Lookups allocate nothing. */
export class BeatGrid {
  readonly #beats: number[] = [];
  readonly #isDownbeat: Uint8Array;

  /** @param beats seconds; beats that do not ascend are dropped */
  constructor(beats: ArrayLike<number>, downbeats: ArrayLike<number>) {
    for (let index = 0; index < beats.length; index++) {
      const beat = beats[index]!;
      if (beat > (this.#beats.at(-1) ?? Number.NEGATIVE_INFINITY)) this.#beats.push(beat);
    }
    let next = 0;
    this.#isDownbeat = Uint8Array.from(this.#beats, (beat) => {
      while (next < downbeats.length && downbeats[next]! < beat - SAME_SECONDS) next++;
      return next < downbeats.length && downbeats[next]! <= beat + SAME_SECONDS ? 1 : 0;
    });
  }

  /** Whether there are beats enough for a tempo. */
  get hasTempo(): boolean {
    return this.#beats.length >= 2;
  }

  /** See {@link beatAt}. */
  beatAt(seconds: number): number {
    return beatAt(seconds, this.#beats);
  }

  /** See {@link secondsAtBeat}. */
  secondsAt(beat: number): number {
    return secondsAtBeat(beat, this.#beats);
  }

  /** Returns the beats per second of the song around a beat position. */
  tempoAt(beat: number): number {
    return (2 * REACH_BEATS) / (this.secondsAt(beat + REACH_BEATS) - this.secondsAt(beat - REACH_BEATS));
  }

  /** Whether beat `index` begins a bar. */
  isDownbeat(index: number): boolean {
    return this.#isDownbeat[index] === 1;
  }

  /** Returns the index of the first beat at or after a time; the number of beats where there is none. */
  nextBeat(seconds: number): number {
    const beat = this.hasTempo ? Math.ceil(this.beatAt(seconds) - 1e-9) : this.#beats.length;
    return Math.min(this.#beats.length, Math.max(0, beat));
  }

  /** Number of beats. */
  get count(): number {
    return this.#beats.length;
  }

  /**
   * Returns the position nearest to `target` with the beat phase of `from`, in seconds from 0 on; `target` where there
   * are no beats.
   */
  phaseAligned(target: number, from: number): number {
    if (!this.hasTempo) return target;
    const phase = this.beatAt(from) % 1;
    const beat = Math.round(this.beatAt(target) - phase) + phase;
    const seconds = this.secondsAt(beat);
    return seconds >= 0 ? seconds : this.secondsAt(beat + 1);
  }
}
