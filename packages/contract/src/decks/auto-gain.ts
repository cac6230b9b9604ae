import { deckBounds } from '../limits.ts';
import { deckIds } from '../resources/deck-id.ts';
import type { DeckSessionState, DeckState, MixerState } from '../resources/deck-session.ts';

/** Highest true peak that a boost may cause, in dB below full scale: the usual limit of delivered masters. */
const PEAK_CEILING_DB = -1;

/**
 * Returns the gain that brings a track to the reference loudness, in dB; 0 if its loudness was not measured or
 * auto-gain is off.
 *
 * `gain = reference − loudness`. A boost is limited so that the true peak stays at or below −1 dB, and to 0 dB where
 * the true peak was not measured; an attenuation is never limited by it.
 */
export function autoGainDb(
  { loudness_lufs, true_peak_db }: Pick<DeckState, 'loudness_lufs' | 'true_peak_db'>,
  {
    is_auto_gain_on,
    auto_gain_reference_lufs,
  }: Pick<MixerState, 'is_auto_gain_on' | 'auto_gain_reference_lufs'>,
): number {
  if (!is_auto_gain_on || loudness_lufs === null) return 0;
  const wanted = auto_gain_reference_lufs - loudness_lufs;
  const headroom = true_peak_db === null ? 0 : Math.max(0, PEAK_CEILING_DB - true_peak_db);
  const most = deckBounds.autoGainDb;
  return Math.max(-most, Math.min(most, wanted, headroom));
}

/**
 * Returns a session in which every paused deck has its {@link autoGainDb}. A playing deck keeps its gain until it
 * pauses, so that its level never jumps. Returns the same object if no gain changes.
 */
export function settleAutoGain(session: DeckSessionState): DeckSessionState {
  return deckIds.reduce((before, id) => {
    const deck = before.decks[id];
    if (deck.is_playing) return before;
    const auto_gain_db = autoGainDb(deck, before.mixer);
    if (auto_gain_db === deck.auto_gain_db) return before;
    return { ...before, decks: { ...before.decks, [id]: { ...deck, auto_gain_db } } };
  }, session);
}

/**
 * Returns a deck session after the loudness of a track was measured, for the decks that hold the track.
 *
 * @param loudness_lufs integrated loudness; null if it was not measured
 * @param true_peak_db true peak; null if it was not measured
 */
export function applyTrackLoudness(
  session: DeckSessionState,
  track_id: string,
  { loudness_lufs, true_peak_db }: Pick<DeckState, 'loudness_lufs' | 'true_peak_db'>,
): DeckSessionState {
  const next = deckIds.reduce((before, id) => {
    const deck = before.decks[id];
    const isKnown = deck.loudness_lufs === loudness_lufs && deck.true_peak_db === true_peak_db;
    if (deck.track_id !== track_id || isKnown) return before;
    return { ...before, decks: { ...before.decks, [id]: { ...deck, loudness_lufs, true_peak_db } } };
  }, session);
  return settleAutoGain(next);
}
