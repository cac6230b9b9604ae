import type { Scope } from '@stem-studio/audio/base/scope';
import { playedBpm } from '@stem-studio/contract/decks/synced-tempo';
import { type DeckId, deckIds } from '@stem-studio/contract/resources/deck-id';
import type { DeckState } from '@stem-studio/contract/resources/deck-session';
import type { Track } from '@stem-studio/contract/resources/track';
import type { QueryClient } from '@tanstack/react-query';
import { trackQuery } from '../../client/queries.ts';
import { countPlay, PLAYED_SECONDS } from '../../state/count-plays.ts';
import { setHoldings } from '../../state/deck-holdings.state.ts';
import type { DjEngine } from '../../state/decks/dj-engine.ts';
import { requestLoad } from '../../state/decks/load-track.ts';
import { loadRequests, takeLoadRequests } from '../../state/load-request.state.ts';
import { markPlayed } from '../../state/played.state.ts';
import { setReferences } from '../../state/reference.state.ts';

const EVERY_MS = 1000;

/**
 * Links the decks and the library for as long as `scope` lives: tracks requested in the library are loaded here, and
 * the library receives the loaded tracks, their tempi, and which of them have been played for half a minute.
 */
export function followLibrary(scope: Scope, engine: DjEngine, client: QueryClient): void {
  const take = () => {
    for (const { deck, track } of takeLoadRequests()) {
      client.setQueryData(trackQuery(track.id).queryKey, (known) => known ?? track);
      requestLoad(engine, deck, track.id);
    }
  };
  scope.own(loadRequests.subscribe(take));
  take();

  const { session } = engine.decks;
  let published = '';
  const publish = () => {
    const { decks } = session.getState();
    const held = ({ track_id, is_playing }: DeckState) => ({ trackId: track_id, isPlaying: is_playing });
    setHoldings({ a: held(decks.a), b: held(decks.b) });
    const now = deckIds.map((deck) => `${decks[deck].track_id}@${playedBpm(decks[deck])?.toFixed(1)}`).join();
    if (now === published) return;
    published = now;
    const fetchReference = async (deck: DeckId): Promise<Track | null> => {
      const { track_id } = decks[deck];
      if (track_id === null) return null;
      const track = await client.fetchQuery(trackQuery(track_id)).catch(() => null);
      return track && { ...track, bpm: playedBpm(decks[deck]) ?? track.bpm };
    };
    void Promise.all(deckIds.map(fetchReference)).then(([a = null, b = null]) => {
      if (!scope.isDisposed && published === now) setReferences({ a, b });
    });
  };
  scope.own(session.subscribe(publish));
  publish();

  const playing: Record<DeckId, { track: string | null; seconds: number }> = {
    a: { track: null, seconds: 0 },
    b: { track: null, seconds: 0 },
  };
  scope.every(EVERY_MS, () => {
    for (const deck of deckIds) {
      const { track_id, is_playing } = session.getState().decks[deck];
      if (playing[deck].track !== track_id) playing[deck] = { track: track_id, seconds: 0 };
      if (track_id === null || !is_playing) continue;
      playing[deck].seconds += EVERY_MS / 1000;
      if (playing[deck].seconds !== PLAYED_SECONDS) continue;
      // Every window of the session sees the decks play; the one that plays their audio counts.
      if (engine.status.getState().isSounding) countPlay(track_id, `deck_${deck}`);
      else markPlayed(track_id);
    }
  });
}
