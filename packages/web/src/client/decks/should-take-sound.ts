import { type DeckSessionState, type DeckState, deckIds } from '@stem-studio/contract/resources/deck-session';

/** A deck of which its window has said nothing for so long does not sound any more, in milliseconds. */
const silentMs = 10_000;

/** Whether a playing deck was left by its window, which would have said where it is. */
export function isAbandoned({ is_playing, position_at }: DeckState, now: number): boolean {
  return is_playing && now - position_at > silentMs;
}

/**
 * Whether a window that has just joined is to sound: where no window does. A window that is not open in this browser may
 * be open in another: then it says now and then where its decks are.
 *
 * @param isOpen whether the window that is named in the session is open in this browser; null where that cannot be told
 * @param now milliseconds of the service's clock
 */
export function shouldTakeSound(
  { decks, mixer }: DeckSessionState,
  { client, isOpen, now }: { readonly client: string; readonly isOpen: boolean | null; readonly now: number },
): boolean {
  if (mixer.sound_client === null || mixer.sound_client === client) return true;
  if (isOpen === true) return false;
  const playing = deckIds.map((deck) => decks[deck]).filter((deck) => deck.is_playing);
  const isSilent = playing.every((deck) => isAbandoned(deck, now));
  return isSilent && (isOpen === false || playing.length > 0);
}
