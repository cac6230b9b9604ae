import type { StereoReader } from '../signal/stereo-reader.ts';
import { OnsetScout, SCOUT_LEAD } from './onset-scout.ts';

/** Below this drift, and backwards, onsets are not followed. */
const LEAST_DRIFT = 0.1;

/**
 * Maps stretched samples to positions in the song, so that an onset has the same output time in all of its frames.
 *
 * The map is a straight line, except around each onset, where it has the original rate of the song. The onset itself
 * stays on the straight line. Allocates nothing in use.
 */
export class OnsetMap {
  readonly #scout = new OnsetScout();
  /** Output times of the remembered onsets, in stretched samples. */
  readonly #outputTimes = new Float64Array(this.#scout.positions.length);
  #follows = false;
  #known = 0;

  /** Discards all onsets, as after a jump. */
  reset(): void {
    this.#follows = false;
  }

  /**
   * Finds the onsets within reach and computes the output time of each.
   *
   * @param position position in the song of stretched sample `at`
   * @param drift samples of the song for a stretched one
   * @param reach stretched samples from `at` on
   */
  lookAhead(reader: StereoReader, position: number, at: number, drift: number, reach: number): void {
    const scout = this.#scout;
    // At the original rate onsets are at the right time in every frame anyway.
    const follows = drift >= LEAST_DRIFT && drift !== 1;
    if (follows && !this.#follows) {
      scout.reset(position - SCOUT_LEAD);
      this.#known = scout.first;
    }
    this.#follows = follows;
    if (!follows) return;
    scout.walk(reader, position + reach * Math.max(1, drift));
    for (let onset = scout.first; onset < scout.next; onset++) {
      const onsetPosition = this.positionOf(onset);
      // The time of an onset that has already played does not change.
      if (onsetPosition < position && onset < this.#known) continue;
      this.#outputTimes[onset % this.#outputTimes.length] = Math.round(
        at + (onsetPosition - position) / drift,
      );
    }
    this.#known = scout.next;
  }

  /** Returns the number of the onset nearest to a stretched sample in the output, within `half` of it, or −1. */
  near(centre: number, half: number): number {
    if (!this.#follows) return -1;
    const next = this.#after(centre);
    const before = this.#distance(next - 1, centre);
    const after = this.#distance(next, centre);
    if (Math.min(before, after) >= half) return -1;
    return before <= after ? next - 1 : next;
  }

  /** Returns the position of an onset in the song. */
  positionOf(onset: number): number {
    return this.#scout.positions[onset % this.#scout.positions.length]!;
  }

  /** Returns the position in the song of a stretched sample near an onset, at the original rate. */
  beside(onset: number, centre: number): number {
    return this.positionOf(onset) + centre - this.#outputTimes[onset % this.#outputTimes.length]!;
  }

  /** Clamps `position` so that a frame without an onset within `half` in the output has none in the song either. */
  between(position: number, centre: number, half: number): number {
    if (!this.#follows) return position;
    const next = this.#after(centre);
    const lowest = next > this.#scout.first ? this.positionOf(next - 1) + half : Number.NEGATIVE_INFINITY;
    const highest = next < this.#scout.next ? this.positionOf(next) - half : Number.POSITIVE_INFINITY;
    return lowest <= highest ? Math.min(highest, Math.max(lowest, position)) : position;
  }

  /** Returns the number of the first onset whose output time is after a stretched sample. */
  #after(centre: number): number {
    const { first, next } = this.#scout;
    let onset = next;
    while (onset > first && this.#outputTimes[(onset - 1) % this.#outputTimes.length]! > centre) onset--;
    return onset;
  }

  #distance(onset: number, centre: number): number {
    const { first, next } = this.#scout;
    if (onset < first || onset >= next) return Number.POSITIVE_INFINITY;
    return Math.abs(centre - this.#outputTimes[onset % this.#outputTimes.length]!);
  }
}
