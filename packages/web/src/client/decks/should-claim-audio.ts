import { deckIds } from '@stem-studio/contract/resources/deck-id';
import type { DeckSessionState, DeckState } from '@stem-studio/contract/resources/deck-session';
import type { Whereabouts } from './window-locks.ts';

/** Time without position reports after which a deck is considered silent, in ms. */
export const SILENT_MS = 10_000;

/** Returns whether a playing deck was abandoned: its window has stopped reporting its position. */
export function isAbandoned({ is_playing, position_at }: DeckState, now: number): boolean {
  return is_playing && now - position_at > SILENT_MS;
}

/**
 * Returns whether a window should take over the audio from the window named in the session, or because none is named.
 * A window that has closed in this browser has released it. A window not known to this browser may be open in another
 * one, where it would report the positions of playing decks; a window with stopped decks reports nothing.
 *
 * @param whereabouts location of the named window
 * @param now time of the service's clock, in ms
 */
export function shouldClaimAudio(
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
