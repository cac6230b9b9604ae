import { beatAt, secondsAtBeat } from '@stem-studio/dsp/time/beat-place';

/** A tempo is taken over so many beats to each side, so that a beat heard a little late does not make a song waver. */
const REACH_BEATS = 2;
/** A downbeat is a beat nearer than this, in seconds. */
const SAME_SECONDS = 0.002;

/** The beats of a deck's song. Asking allocates nothing. */
export class BeatGrid {
  readonly #beats: number[] = [];
  readonly #isDownbeat: Uint8Array;

  /** @param beats seconds; what does not ascend is left out */
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

  /** Whether there is anything to count by. */
  get hasTempo(): boolean {
    return this.#beats.length >= 2;
  }

  /** See {@link beatAt}. */
  beatAt(seconds: number): number {
    return beatAt(seconds, this.#beats);
  }

  /** See {@link secondsAtBeat}. */
  secondsAt(place: number): number {
    return secondsAtBeat(place, this.#beats);
  }

  /** Beats a second of the song around a place among its beats. */
  tempoAt(place: number): number {
    return (2 * REACH_BEATS) / (this.secondsAt(place + REACH_BEATS) - this.secondsAt(place - REACH_BEATS));
  }

  /** Whether beat `index` begins a bar. */
  isDownbeat(index: number): boolean {
    return this.#isDownbeat[index] === 1;
  }

  /** The index of the first beat at or after a moment; the number of beats where there is none. */
  nextBeat(seconds: number): number {
    const place = this.hasTempo ? Math.ceil(this.beatAt(seconds) - 1e-9) : this.#beats.length;
    return Math.min(this.#beats.length, Math.max(0, place));
  }

  /** Number of beats. */
  get count(): number {
    return this.#beats.length;
  }

  /**
   * The place nearest to `target` that lies in its beat where `from` lies in its own, in seconds from 0 on; `target`
   * where there are no beats.
   */
  phaseAligned(target: number, from: number): number {
    if (!this.hasTempo) return target;
    const phase = this.beatAt(from) % 1;
    const place = Math.round(this.beatAt(target) - phase) + phase;
    const seconds = this.secondsAt(place);
    return seconds >= 0 ? seconds : this.secondsAt(place + 1);
  }
}
