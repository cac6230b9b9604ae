import { otherDeck } from '@stem-studio/contract/decks/deck-session-state';
import { tempoRangeHolding } from '@stem-studio/contract/decks/deck-tempo';
import { followsOther } from '@stem-studio/contract/decks/settle-lead';
import { NOMINAL_BPM, playedBpm } from '@stem-studio/contract/decks/synced-tempo';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import { deckBounds } from '@stem-studio/contract/limits';
import type { DeckId, DeckSessionState, DeckState } from '@stem-studio/contract/resources/deck-session';

/**
 * What is said when the tempo of a deck is turned by hand: its own tempo, or where it follows, the leader's, which is
 * turned in proportion, so that the follower comes to where the hand put it.
 *
 * @param percent deviation from the recorded tempo; taken within the range of the fader, or of the next that holds where
 *   the tempo is
 */
export function tempoMessage(
  session: DeckSessionState,
  deck: DeckId,
  percent: number,
): DeckMessage & { event: 'update_bpm' } {
  const own = session.decks[deck];
  const factor = 1 + withinRange(own, percent) / 100;
  const led = followsOther(session, deck) ? playedBpm(session.decks[otherDeck(deck)]) : null;
  return led === null || own.track_bpm === null
    ? { event: 'update_bpm', deck, bpm: clampBpm((own.track_bpm ?? NOMINAL_BPM) * factor) }
    : {
        event: 'update_bpm',
        deck: otherDeck(deck),
        bpm: clampBpm((led * factor) / (1 + own.tempo_percent / 100)),
      };
}

/** A tempo that is outside of the fader is moved on from where it is, and not brought in by a touch. */
function withinRange({ tempo_percent, tempo_range }: DeckState, percent: number): number {
  const range = tempoRangeHolding(tempo_percent, tempo_range);
  return Math.min(Math.max(range, tempo_percent), Math.max(-range, percent));
}

function clampBpm(bpm: number): number {
  return Math.min(deckBounds.bpm.max, Math.max(deckBounds.bpm.min, bpm));
}
