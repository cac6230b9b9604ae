import { type DeckState, tempoRanges } from '../resources/deck-session.ts';
import { carryDeck } from './carry-deck.ts';

/** What of a percent is lost in reckoning tempi forth and back. */
const ROUNDING_PERCENT = 1e-6;

/**
 * The range of a tempo fader that holds a tempo: the one given, or the smallest above it that reaches as far; the largest
 * where none does.
 *
 * @param percent deviation from the recorded tempo
 * @param least the range to keep where it reaches far enough, in percent to either side
 */
export function tempoRangeHolding(
  percent: number,
  least: DeckState['tempo_range'],
): DeckState['tempo_range'] {
  const reach = Math.abs(percent) - ROUNDING_PERCENT;
  return tempoRanges.find((range) => range >= least && range >= reach) ?? 50;
}

/**
 * A deck at another tempo from `now` on, where it then is; the range of its fader grows until it holds the tempo. The same
 * deck where the tempo is no other.
 *
 * @param percent deviation from the recorded tempo, taken within −50 and 100
 */
export function withTempo(deck: DeckState, percent: number, now: number): DeckState {
  const tempo_percent = Math.max(-50, Math.min(100, percent));
  if (tempo_percent === deck.tempo_percent) return deck;
  const tempo_range = tempoRangeHolding(tempo_percent, deck.tempo_range);
  return { ...carryDeck(deck, now), tempo_percent, tempo_range };
}
