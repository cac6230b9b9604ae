import type { QueryClient } from '@tanstack/react-query';
import { askLoad, freeDeck } from '../../state/decks/load-track.ts';
import { openDjEngine } from './open-dj-engine.ts';

/** Loads a track on the deck that is free for it. */
export function loadOnFreeDeck(client: QueryClient, trackId: string): void {
  const engine = openDjEngine(client);
  askLoad(engine, freeDeck(engine.decks.session.getState()), trackId);
}
