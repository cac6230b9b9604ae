import { deckPositionMs } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { DeckState } from '@stem-studio/contract/resources/deck-session';

/**
 * Returns whether a deck was moved: its position differs by more than `withinMs` from the one extrapolated from its
 * previous state. A change of tempo or a newly reported position is not a move.
 */
export function isElsewhere(before: DeckState, after: DeckState, withinMs: number): boolean {
  if (before.track_id !== after.track_id) return true;
  return Math.abs(after.position_ms - deckPositionMs(before, after.position_at)) > withinMs;
}

/** Returns whether a message sets the position of a deck; a position report does not. */
export function setsPosition(message: DeckMessage, deck: DeckId): boolean {
  if (message.event === 'set_mixer' || message.deck !== deck) return false;
  switch (message.event) {
    case 'load_track':
    case 'seek':
    case 'jump_to_cue':
    case 'trigger_cue':
      return true;
    case 'play':
    case 'pause':
    case 'toggle_play':
    case 'set_loop':
      return message.position_ms !== undefined;
    default:
      return false;
  }
}
