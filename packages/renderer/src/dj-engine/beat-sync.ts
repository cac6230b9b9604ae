import type { BeatLookup } from '@stem-studio/dsp/rhythm/grid/beat-lookup';

/** Part of a phase error that is corrected per second. */
const CORRECTION_PER_SECOND = 3;
/** Largest change of tempo by a phase correction: more would be audible. */
const MAX_CORRECTION = 0.04;
/** A tempo octave is kept until another one is nearer by this, in octaves. */
const HYSTERESIS_OCTAVES = 0.1;
/** Slowest and fastest rate of a follower. */
const RATES = { least: 0.25, most: 4 };

/**
 * Keeps a deck in sync with another: its tempo is the leader's, or half or double of it, whichever is nearest to its
 * own, and its phase is corrected gradually. Both tempi are those of the grids around the current positions, so that
 * songs with a drifting tempo stay in sync. Allocates nothing.
 *
 * `rate = leader's beats per second · octave / own beats per second of song · (1 − correction)`
 */
export class BeatSync {
  /** Distance to the leader's beat in own beats, −0.5 … 0.5, above 0 when ahead. */
  error = 0;
  /**
   * Distance to the leader's position in the bar in own beats, at most half a bar, above 0 when ahead.
   *
   * With different metres it is the distance at which the leader's last downbeat is one of the own downbeats: the bars
   * coincide there and not after it.
   */
  barError = 0;
  /** Own beats after which the bars coincide again: an own bar, or half of it where the leader's beats are twice as fast. */
  barPeriod = 1;
  /** Own beats per beat of the leader, in octaves: −1, 0 or 1. */
  #octave: number | null = null;
  #beatSeconds = 0;

  /** Resets the octave and the error. */
  reset(): void {
    this.#octave = null;
    this.error = 0;
    this.barError = 0;
  }

  /** Measures {@link error} and {@link barError} at two positions in seconds of their songs; both grids must have a tempo. */
  measure(
    leader: BeatLookup,
    leaderSeconds: number,
    leaderRate: number,
    own: BeatLookup,
    ownSeconds: number,
  ): void {
    const leaderBeat = leader.beatAt(leaderSeconds);
    const ownBeat = own.beatAt(ownSeconds);
    const octave = this.#choose(Math.log2(own.tempoAt(ownBeat) / (leader.tempoAt(leaderBeat) * leaderRate)));
    // Counted in beats of the faster song: every beat of the slower one is one of them.
    const scale = octave < 0 ? 2 : 1;
    const apart = scale * ownBeat - (octave > 0 ? 2 : 1) * leaderBeat;
    this.error = (apart - Math.round(apart)) / scale;
    const leaderBar = leader.barLengthAt(leaderBeat) * 2 ** octave;
    const ownBar = own.barLengthAt(ownBeat);
    this.barPeriod = octave < 0 && ownBar % leaderBar === 0 ? leaderBar : ownBar;
    const apartInBar = own.beatInBar(ownBeat) - leader.beatInBar(leaderBeat) * 2 ** octave;
    this.barError = apartInBar - this.barPeriod * Math.round(apartInBar / this.barPeriod);
  }

  /**
   * Returns the rate for the leader's tempo, after {@link measure} at the same positions.
   *
   * @param leaderRate seconds of the leader's song per second, above 0
   */
  tempo(
    leader: BeatLookup,
    leaderSeconds: number,
    leaderRate: number,
    own: BeatLookup,
    ownSeconds: number,
  ): number {
    const beatsPerSecond =
      leader.tempoAt(leader.beatAt(leaderSeconds)) * leaderRate * 2 ** (this.#octave ?? 0);
    this.#beatSeconds = 1 / beatsPerSecond;
    const rate = beatsPerSecond / own.tempoAt(own.beatAt(ownSeconds));
    return Math.min(RATES.most, Math.max(RATES.least, rate));
  }

  /** Factor on {@link tempo} that corrects the phase. */
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
