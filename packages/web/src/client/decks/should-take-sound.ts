import { type DeckSessionState, type DeckState, deckIds } from '@stem-studio/contract/resources/deck-session';
import type { Whereabouts } from './window-locks.ts';

/** A deck of which its window has said nothing for so long does not sound any more, in milliseconds. */
export const SILENT_MS = 10_000;

/** Whether a playing deck was left by its window, which would have said where it is. */
export function isAbandoned({ is_playing, position_at }: DeckState, now: number): boolean {
  return is_playing && now - position_at > SILENT_MS;
}

/**
 * Whether a window is to take the sound from the one that the session names, or because it names none. One that is gone
 * from this browser is gone. One that is not of this browser may be open in another: then it says now and then where its
 * decks are, and one that stands says nothing.
 *
 * @param whereabouts of the window that is named
 * @param now milliseconds of the service's clock
 */
export function shouldTakeSound(
  { decks, mixer }: DeckSessionState,
  {
    client,
    whereabouts,
    now,
  }: { readonly client: string; readonly whereabouts: Whereabouts; readonly now: number },
): boolean {
  if (mixer.sound_client === null || mixer.sound_client === client) return true;
  if (whereabouts === 'open') return false;
  if (whereabouts === 'gone') return true;
  const playing = deckIds.map((deck) => decks[deck]).filter((deck) => deck.is_playing);
  return playing.length > 0 && playing.every((deck) => isAbandoned(deck, now));
}
