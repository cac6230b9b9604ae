import type { Scope } from '@stem-studio/audio/base/scope';
import { deckIds } from '@stem-studio/contract/resources/deck-id';
import { leaving } from '../leaving.state.ts';
import type { DjEngine } from './dj-engine.ts';

/**
 * Lets the browser ask for confirmation before the page is left, for as long as `scope` lives, while that would stop
 * audible playback or lose a recording. It listens only then, because a page that always listens is not put into the
 * browser's back-forward cache.
 */
export function confirmLeaving(
  scope: Scope,
  {
    decks,
    status,
    state,
  }: Pick<DjEngine, 'status' | 'state'> & { decks: Pick<DjEngine['decks'], 'session'> },
): void {
  let stop: (() => void) | null = null;
  const look = () => {
    const { recording, recordings } = state.getState();
    const { decks: both } = decks.session.getState();
    const isAudible = status.getState().isSounding && deckIds.some((deck) => both[deck].is_playing);
    const isAtStake = isAudible || recording !== 'off' || recordings.some(({ isSaved }) => !isSaved);
    if (isAtStake !== leaving.getState().isAtStake) leaving.setState({ isAtStake });
    if (isAtStake) stop ??= scope.listen(window, 'beforeunload', (event) => event.preventDefault());
    else {
      stop?.();
      stop = null;
    }
  };
  for (const store of [decks.session, status, state]) scope.own(store.subscribe(look));
  scope.own(() => leaving.setState({ isAtStake: false }));
  look();
}
