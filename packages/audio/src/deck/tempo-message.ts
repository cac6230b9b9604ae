import { otherDeck } from '@stem-studio/contract/decks/deck-session-state';
import { tempoRangeHolding } from '@stem-studio/contract/decks/deck-tempo';
import { followsOther } from '@stem-studio/contract/decks/settle-lead';
import { NOMINAL_BPM, playedBpm } from '@stem-studio/contract/decks/synced-tempo';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import { deckBounds } from '@stem-studio/contract/limits';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DeckSessionState, DeckState } from '@stem-studio/contract/resources/deck-session';

/**
 * Creates the message for a tempo set by the user: the deck's own tempo, or that of the leader in proportion where the
 * deck follows.
 *
 * @param percent deviation from the recorded tempo; clamped to the range of the fader, or to the next range that
 *   includes the present tempo
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

/** A tempo outside the range of the fader moves on from where it is. */
function withinRange({ tempo_percent, tempo_range }: DeckState, percent: number): number {
  const range = tempoRangeHolding(tempo_percent, tempo_range);
  return Math.min(Math.max(range, tempo_percent), Math.max(-range, percent));
}

function clampBpm(bpm: number): number {
  return Math.min(deckBounds.bpm.max, Math.max(deckBounds.bpm.min, bpm));
}
