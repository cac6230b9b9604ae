import type { DeckStem, DeckStrip } from '@stem-studio/contract/resources/deck-session';
import type { ChannelStripSetting } from './dj-engine-messages.ts';

/** What a band's knob gives at its right end. */
const MAX_DB = 6;

/**
 * The factor of an equaliser's knob: silence at −1, −12 dB at −½, nothing at 0, +6 dB at 1; a kill silences the band
 * wherever its knob stands.
 */
export function bandFactor(knob: number, isKilled: boolean): number {
  if (isKilled) return 0;
  return knob <= 0 ? (1 + knob) ** 2 : 10 ** ((MAX_DB * knob) / 20);
}

/** A strip as the booth takes it. */
export function channelStripSetting(strip: DeckStrip): ChannelStripSetting {
  return {
    gain: 10 ** (strip.gain_db / 20),
    low: bandFactor(strip.eq_low, strip.kill_low),
    mid: bandFactor(strip.eq_mid, strip.kill_mid),
    high: bandFactor(strip.eq_high, strip.kill_high),
    filter: strip.filter,
    volume: strip.volume,
    isCued: strip.is_cued,
  };
}

/** The gain of each source of a deck: of its stems, mute above solo; of the song alone where it has none. */
export function stemGains(stems: readonly DeckStem[]): number[] {
  if (stems.length === 0) return [1];
  const isAnySoloed = stems.some((stem) => stem.is_soloed);
  return stems.map((stem) => (stem.is_muted || (isAnySoloed && !stem.is_soloed) ? 0 : stem.volume));
}
