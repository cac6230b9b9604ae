import type { QueryClient } from '@tanstack/react-query';
import { askLoad, freeDeck } from '../../state/decks/load-track.ts';
import { openBooth } from './open-dj-engine.ts';

/** Loads a track on the deck that is free for it. */
export function loadFreely(client: QueryClient, trackId: string): void {
  const booth = openBooth(client);
  askLoad(booth, freeDeck(booth.decks.session.getState()), trackId);
}
