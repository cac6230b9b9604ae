import type { BeatLookup } from '@stem-studio/dsp/rhythm/grid/beat-lookup';

/**
 * Beats that effects are synced to. It follows the phase of a deck's beats and runs on at the last tempo while the deck
 * stands, so that tails and sweeps continue. Loops and jumps by whole beats do not disturb it. Allocates nothing.
 */
export class EffectClock {
  /** Whether the deck has a grid. */
  hasTempo = false;
  /** Position in beats at the beginning of the block. */
  beat = 0;
  /** Beats per output sample. */
  beatsPerFrame = 0;
  readonly #outputRateHz: number;

  constructor(outputRateHz: number) {
    this.#outputRateHz = outputRateHz;
  }

  /**
   * Follows a deck at the beginning of a block.
   *
   * @param seconds position in the song
   * @param rate seconds of the song per second of output, above 0
   * @param isMoving whether the deck moves at that rate
   */
  follow(grid: BeatLookup, seconds: number, rate: number, isMoving: boolean): void {
    // A tail keeps the tempo of the song that was unloaded.
    if (!isMoving && (this.hasTempo || !grid.hasTempo)) return;
    const hadTempo = this.hasTempo;
    this.hasTempo = grid.hasTempo;
    if (!grid.hasTempo) return;
    const beat = grid.beatAt(seconds);
    this.beatsPerFrame = (grid.tempoAt(beat) * rate) / this.#outputRateHz;
    const apart = beat - this.beat;
    this.beat += hadTempo ? apart - Math.round(apart) : apart;
  }

  /** Copies the position of another clock. */
  take(other: EffectClock): void {
    this.hasTempo = other.hasTempo;
    this.beat = other.beat;
    this.beatsPerFrame = other.beatsPerFrame;
  }

  /** Moves on at the present tempo. */
  advance(frames: number): void {
    this.beat += frames * this.beatsPerFrame;
  }
}
