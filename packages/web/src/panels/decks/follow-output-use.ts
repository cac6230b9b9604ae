import type { Scope } from '@stem-studio/audio/base/scope';
import { type DeckId, deckIds } from '@stem-studio/contract/resources/deck-id';
import type { QueryClient } from '@tanstack/react-query';
import { trackQuery } from '../../client/queries.ts';
import type { DjEngine } from '../../state/decks/dj-engine.ts';
import { setDecksOutput } from '../../state/output-use.state.ts';

/** Names what the decks play in this window, for the other players of the page, for as long as `scope` lives. */
export function followOutputUse(
  scope: Scope,
  { decks, status, headphones }: Pick<DjEngine, 'decks' | 'status' | 'headphones'>,
  client: QueryClient,
): void {
  const pauseDeck = (deck: DeckId) => {
    const position_ms = Math.round(decks.positionSeconds(deck) * 1000);
    if (decks.session.getState().decks[deck].is_playing)
      decks.dispatch({ event: 'pause', deck, position_ms });
  };
  const pause = () => deckIds.forEach(pauseDeck);
  let published = '';
  const publish = () => {
    const playing = status.getState().isSounding
      ? deckIds.flatMap((deck) => {
          const { is_playing, track_id } = decks.session.getState().decks[deck];
          return is_playing && track_id !== null ? [{ deck, trackId: track_id }] : [];
        })
      : [];
    const { chosen } = headphones.state.getState();
    const now = [...playing.map(({ deck, trackId }) => `${deck} ${trackId}`), chosen].join();
    if (now === published) return;
    published = now;
    if (playing.length === 0) {
      setDecksOutput(null);
      return;
    }
    const show = (titles: readonly string[]) =>
      setDecksOutput({
        title: titles.filter((title) => title !== '').join(' and '),
        pause,
        playing: playing.map(({ deck }, index) => ({
          deck,
          title: titles[index] ?? '',
          pause: () => pauseDeck(deck),
        })),
        headphones: chosen,
      });
    const known = playing.map(
      ({ trackId }) => client.getQueryData(trackQuery(trackId).queryKey)?.title ?? '',
    );
    // The other players are paused at once, not when the titles have arrived.
    show(known);
    if (!known.includes('')) return;
    const titles = playing.map(({ trackId }) =>
      client.fetchQuery(trackQuery(trackId)).then(
        ({ title }) => title,
        () => '',
      ),
    );
    void Promise.all(titles).then((found) => {
      if (!scope.isDisposed && published === now) show(found);
    });
  };
  for (const store of [decks.session, status, headphones.state]) scope.own(store.subscribe(publish));
  scope.own(() => setDecksOutput(null));
  publish();
}
