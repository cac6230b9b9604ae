import type { BeatGrid } from './beat-grid.ts';

/** A phase error is correction in at this pace: so much of it a second. */
const CORRECTION_PER_SECOND = 3;
/** The most by which a deck is made faster or slower to come onto the beat: more would be heard. */
const MAX_CORRECTION = 0.04;
/** The octave of a tempo is kept until another is nearer by so much, in octaves. */
const HYSTERESIS_OCTAVES = 0.1;
/** A follower is not played slower or faster than this. */
const RATES = { least: 0.25, most: 4 };

/**
 * Keeps a deck on the beats of another: its tempo is the leader's, or half or double of it, whichever is nearest to its
 * own; its beats are correction onto the leader's. Both tempi are those of the grids around the places that sound, so that
 * songs whose tempo drifts stay together. Allocates nothing.
 *
 * `rate = leader's beats a second · octave / own beats a second of song · (1 − correction in)`
 */
export class BeatSync {
  /** Distance of the deck to the leader's beat in its own beats, −0.5 … 0.5, above 0 when it is ahead. */
  error = 0;
  /** Own beats for a beat of the leader, as an octave: −1, 0 or 1. */
  #octave: number | null = null;
  #beatSeconds = 0;

  /** Forgets which octave was chosen. */
  reset(): void {
    this.#octave = null;
    this.error = 0;
  }

  /** Measures {@link error} at two places in seconds of their songs; both grids have a tempo. */
  measure(
    leader: BeatGrid,
    leaderSeconds: number,
    leaderRate: number,
    own: BeatGrid,
    ownSeconds: number,
  ): void {
    const leaderBeat = leader.beatAt(leaderSeconds);
    const ownBeat = own.beatAt(ownSeconds);
    const octave = this.#choose(Math.log2(own.tempoAt(ownBeat) / (leader.tempoAt(leaderBeat) * leaderRate)));
    // Counted in the beats of the faster one: every beat of the slower one is one of them.
    const scale = octave < 0 ? 2 : 1;
    const apart = scale * ownBeat - (octave > 0 ? 2 : 1) * leaderBeat;
    this.error = (apart - Math.round(apart)) / scale;
  }

  /**
   * The rate at which the deck has the leader's tempo, after {@link measure} at the same places.
   *
   * @param leaderRate seconds of the leader's song in a second, above 0
   */
  tempo(
    leader: BeatGrid,
    leaderSeconds: number,
    leaderRate: number,
    own: BeatGrid,
    ownSeconds: number,
  ): number {
    const beatsPerSecond =
      leader.tempoAt(leader.beatAt(leaderSeconds)) * leaderRate * 2 ** (this.#octave ?? 0);
    this.#beatSeconds = 1 / beatsPerSecond;
    const rate = beatsPerSecond / own.tempoAt(own.beatAt(ownSeconds));
    return Math.min(RATES.most, Math.max(RATES.least, rate));
  }

  /** What {@link tempo} is multiplied with to be correction onto the beat. */
  get phaseCorrection(): number {
    const correction = this.error * this.#beatSeconds * CORRECTION_PER_SECOND;
    return 1 - Math.min(MAX_CORRECTION, Math.max(-MAX_CORRECTION, correction));
  }

  #choose(octaves: number): number {
    const clamped = this.#octave;
    if (clamped === null || Math.abs(octaves - clamped) > 0.5 + HYSTERESIS_OCTAVES) {
      this.#octave = Math.max(-1, Math.min(1, Math.round(octaves)));
    }
    return this.#octave ?? 0;
  }
}
