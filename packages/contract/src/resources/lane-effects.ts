import { z } from 'zod';
import { numberBetween } from '../bounded-number.ts';
import { mixBounds } from '../limits.ts';

/** Gain of a band in dB; the lowest value removes the band. */
const bandDb = numberBetween(mixBounds.eqDb.min, mixBounds.eqDb.max);

/** Equaliser of a lane, with the bands of the decks: below 250 Hz, up to 2.5 kHz, above it. */
export const laneEq = z.strictObject({ low_db: bandDb, mid_db: bandDb, high_db: bandDb });
/** Equaliser of a lane. */
export type LaneEq = z.infer<typeof laneEq>;

/** Compressor of a lane, with a soft knee of 6 dB; both sides are compressed alike. */
export const laneCompressor = z.strictObject({
  /** Level above which it compresses, in dBFS. */
  threshold_db: numberBetween(-60, 0),
  /** Level change at the input for one of 1 dB at the output. */
  ratio: numberBetween(1, 20),
  /** Time in which the gain falls to 37 % of the way, in ms. */
  attack_ms: numberBetween(0.1, 200),
  /** Time in which it recovers as far, in ms. */
  release_ms: numberBetween(5, 2000),
  /** Gain after it, in dB. */
  makeup_db: numberBetween(0, 24),
});
/** Compressor of a lane. */
export type LaneCompressor = z.infer<typeof laneCompressor>;

/** Reverb that all lanes of a project share. */
export const reverbSettings = z.strictObject({
  /** Time to −60 dB at low frequencies, in seconds. */
  decay_s: numberBetween(0.2, 10),
  /** 0 to 1: how much sooner high frequencies decay. */
  damping: numberBetween(0, 1),
  pre_delay_ms: numberBetween(0, 200),
});
/** Reverb that all lanes of a project share. */
export type ReverbSettings = z.infer<typeof reverbSettings>;

/** Equaliser that changes nothing. */
export const flatEq: LaneEq = { low_db: 0, mid_db: 0, high_db: 0 };
/** Reverb of a new project. */
export const newReverb: ReverbSettings = { decay_s: 1.8, damping: 0.4, pre_delay_ms: 15 };
/** Compressor as it is first turned on. */
export const newCompressor: LaneCompressor = {
  threshold_db: -20,
  ratio: 3,
  attack_ms: 10,
  release_ms: 120,
  makeup_db: 0,
};
