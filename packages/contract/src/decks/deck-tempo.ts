import { type DeckState, tempoRanges } from '../resources/deck-session.ts';
import { carryDeck } from './carry-deck.ts';

/** Tolerance for rounding errors of tempo conversions, in percent. */
const ROUNDING_PERCENT = 1e-6;

/**
 * Returns the tempo fader range that contains a tempo: `least`, or the smallest larger one that suffices; the largest
 * range if none does.
 *
 * @param percent deviation from the recorded tempo
 * @param least range to keep if it suffices, in percent to either side
 */
export function tempoRangeHolding(
  percent: number,
  least: DeckState['tempo_range'],
): DeckState['tempo_range'] {
  const reach = Math.abs(percent) - ROUNDING_PERCENT;
  return tempoRanges.find((range) => range >= least && range >= reach) ?? 50;
}

/**
 * Returns a deck with another tempo from `now` on, at the position it then has. The fader range grows to contain the
 * tempo. Returns the same object if the tempo does not change.
 *
 * @param percent deviation from the recorded tempo, limited to −50 to 100
 */
export function withTempo(deck: DeckState, percent: number, now: number): DeckState {
  const tempo_percent = Math.max(-50, Math.min(100, percent));
  if (tempo_percent === deck.tempo_percent) return deck;
  const tempo_range = tempoRangeHolding(tempo_percent, deck.tempo_range);
  return { ...carryDeck(deck, now), tempo_percent, tempo_range };
}
