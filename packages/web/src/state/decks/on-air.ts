import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DeckSessionState } from '@stem-studio/contract/resources/deck-session';
import { crossfadeGains } from '@stem-studio/dsp/mix/crossfade';

/** Least gain of channel fader and crossfader together at which a deck is on air: −20 dB. */
const LEAST_GAIN = 0.1;

/**
 * Returns which track is on air on each deck: a deck is on air while it plays and its channel fader and the crossfader
 * together let through at least −20 dB.
 *
 * @spec Recording
 */
export function onAir({ decks, mixer }: DeckSessionState): Readonly<Record<DeckId, string | null>> {
  const gains = crossfadeGains(mixer.crossfader_curve, mixer.crossfader);
  const trackOn = (deck: DeckId) => {
    const { is_playing, track_id, strip } = decks[deck];
    return is_playing && strip.volume * gains[deck] >= LEAST_GAIN ? track_id : null;
  };
  return { a: trackOn('a'), b: trackOn('b') };
}
