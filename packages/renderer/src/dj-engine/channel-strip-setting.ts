import type { DeckStem, DeckStrip } from '@stem-studio/contract/resources/deck-session';
import type { ChannelStripSetting } from './dj-engine-messages.ts';

/** Boost of an equaliser band at the right end of its knob. */
const MAX_DB = 6;

/**
 * Returns the gain factor of an equaliser knob: 0 at −1, −12 dB at −½, 0 dB at 0, +6 dB at 1; 0 where the band is
 * killed.
 */
export function bandFactor(knob: number, isKilled: boolean): number {
  if (isKilled) return 0;
  return knob <= 0 ? (1 + knob) ** 2 : 10 ** ((MAX_DB * knob) / 20);
}

/**
 * Converts a channel strip of the session for the engine.
 *
 * @param autoGainDb gain in addition to that of the knob
 */
export function channelStripSetting(strip: DeckStrip, autoGainDb: number): ChannelStripSetting {
  return {
    gain: 10 ** ((strip.gain_db + autoGainDb) / 20),
    low: bandFactor(strip.eq_low, strip.kill_low),
    mid: bandFactor(strip.eq_mid, strip.kill_mid),
    high: bandFactor(strip.eq_high, strip.kill_high),
    filter: strip.filter,
    volume: strip.volume,
    isCued: strip.is_cued,
  };
}

/** Returns the gain of each source of a deck: of its stems, where mute wins over solo; 1 for a song. */
export function stemGains(stems: readonly DeckStem[]): number[] {
  if (stems.length === 0) return [1];
  const isAnySoloed = stems.some((stem) => stem.is_soloed);
  return stems.map((stem) => (stem.is_muted || (isAnySoloed && !stem.is_soloed) ? 0 : stem.volume));
}
