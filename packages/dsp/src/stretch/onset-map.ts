import type { StereoReader } from '../signal/stereo-reader.ts';
import { OnsetScout, SCOUT_LEAD } from './onset-scout.ts';

/** Slower than this, and backwards, onsets are not followed. */
const LEAST_DRIFT = 0.1;

/**
 * Where the song is while stretched sound is made: straight on, but around each onset at the song's own pace, so that
 * every frame that reaches over it puts what is struck to the same moment. The onset itself stays where the straight line
 * has it. Allocates nothing in use.
 */
export class OnsetMap {
  readonly #scout = new OnsetScout();
  /** When the onsets that the scout remembers sound, in stretched samples. */
  readonly #sounds = new Float64Array(this.#scout.places.length);
  #follows = false;
  #known = 0;

  /** Forgets all onsets, as after a jump. */
  reset(): void {
    this.#follows = false;
  }

  /**
   * Finds the onsets within reach, and says when each will sound.
   *
   * @param position place in the song of stretched sample `at`
   * @param drift samples of the song for a stretched one
   * @param reach stretched samples from `at` on
   */
  lookAhead(reader: StereoReader, position: number, at: number, drift: number, reach: number): void {
    const scout = this.#scout;
    // At its own pace every frame puts them where they are anyway.
    const follows = drift >= LEAST_DRIFT && drift !== 1;
    if (follows && !this.#follows) {
      scout.reset(position - SCOUT_LEAD);
      this.#known = scout.first;
    }
    this.#follows = follows;
    if (!follows) return;
    scout.walk(reader, position + reach * Math.max(1, drift));
    for (let onset = scout.first; onset < scout.next; onset++) {
      const place = this.placeOf(onset);
      // What has sounded stays where it was.
      if (place < position && onset < this.#known) continue;
      this.#sounds[onset % this.#sounds.length] = Math.round(at + (place - position) / drift);
    }
    this.#known = scout.next;
  }

  /** Number of the onset that sounds nearest to a stretched sample, within `half` of it; −1 where there is none. */
  near(centre: number, half: number): number {
    if (!this.#follows) return -1;
    const next = this.#after(centre);
    const before = this.#distance(next - 1, centre);
    const after = this.#distance(next, centre);
    if (Math.min(before, after) >= half) return -1;
    return before <= after ? next - 1 : next;
  }

  /** Where an onset is in the song. */
  placeOf(onset: number): number {
    return this.#scout.places[onset % this.#scout.places.length]!;
  }

  /** The place in the song of a stretched sample beside an onset, at the song's own pace. */
  beside(onset: number, centre: number): number {
    return this.placeOf(onset) + centre - this.#sounds[onset % this.#sounds.length]!;
  }

  /** `place`, but so that a frame that has no onset within `half` in the output has none in the song either. */
  between(place: number, centre: number, half: number): number {
    if (!this.#follows) return place;
    const next = this.#after(centre);
    const lowest = next > this.#scout.first ? this.placeOf(next - 1) + half : Number.NEGATIVE_INFINITY;
    const highest = next < this.#scout.next ? this.placeOf(next) - half : Number.POSITIVE_INFINITY;
    return lowest <= highest ? Math.min(highest, Math.max(lowest, place)) : place;
  }

  /** Number of the first onset that sounds after a stretched sample. */
  #after(centre: number): number {
    const { first, next } = this.#scout;
    let onset = next;
    while (onset > first && this.#sounds[(onset - 1) % this.#sounds.length]! > centre) onset--;
    return onset;
  }

  #distance(onset: number, centre: number): number {
    const { first, next } = this.#scout;
    if (onset < first || onset >= next) return Number.POSITIVE_INFINITY;
    return Math.abs(centre - this.#sounds[onset % this.#sounds.length]!);
  }
}
