import { deckPositionMs } from '@stem-studio/contract/decks/deck-session-state';
import type { DeckMessage } from '@stem-studio/contract/events/decks';
import type { DeckId, DeckState } from '@stem-studio/contract/resources/deck-session';

/**
 * Whether a deck is elsewhere than where it would have come by itself, by more than `withinMs`: a change of tempo, or a
 * place that is only told anew, moves nothing.
 */
export function isElsewhere(before: DeckState, after: DeckState, withinMs: number): boolean {
  if (before.track_id !== after.track_id) return true;
  return Math.abs(after.position_ms - deckPositionMs(before, after.position_at)) > withinMs;
}

/** Whether a message says where a deck is to be; a report only says where it is. */
export function placesDeck(message: DeckMessage, deck: DeckId): boolean {
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
