import type { QueryClient } from '@tanstack/react-query';
import { freeDeck, requestLoad } from '../../state/decks/load-track.ts';
import { openDjEngine } from './open-dj-engine.ts';

/** Loads a track on the deck that {@link freeDeck} selects. */
export function loadOnFreeDeck(client: QueryClient, trackId: string): void {
  const engine = openDjEngine(client);
  requestLoad(engine, freeDeck(engine.decks.session.getState()), trackId);
}
