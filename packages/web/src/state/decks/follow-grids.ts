import type { Scope } from '@stem-studio/audio/base/scope';
import { deckIds } from '@stem-studio/contract/resources/deck-id';
import { type QueryClient, QueryObserver } from '@tanstack/react-query';
import { beatGridQuery } from '../../client/queries.ts';
import type { Decks } from './decks.ts';

/**
 * Reloads the beat grid of a deck whenever that of its track is edited, for as long as `scope` lives. The query is
 * observed while the track is loaded, because the query cache drops unobserved queries and does not update them.
 */
export function followGrids(
  scope: Scope,
  decks: Pick<Decks, 'session' | 'reloadGrid'>,
  client: QueryClient,
): void {
  for (const deck of deckIds) {
    let shown: string | null = null;
    let leave = () => {};
    const follow = () => {
      const { track_id } = decks.session.getState().decks[deck];
      if (track_id === shown) return;
      shown = track_id;
      leave();
      leave = () => {};
      if (track_id === null) return;
      const observer = new QueryObserver(client, beatGridQuery(track_id));
      let known = observer.getCurrentResult().data;
      leave = observer.subscribe(({ data }) => {
        if (data === known) return;
        known = data;
        decks.reloadGrid(deck);
      });
    };
    scope.own(decks.session.subscribe(follow));
    scope.own(() => leave());
    follow();
  }
}
