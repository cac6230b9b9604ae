import type { Scope } from '@stem-studio/audio/base/scope';
import { deckIds } from '@stem-studio/contract/resources/deck-session';
import type { DjEngine } from './dj-engine.ts';

/**
 * Lets the browser ask before the page goes, for as long as `scope` lives, while that would end what sounds in this
 * window or lose a recording. Listens only then: browsers keep no page for the way back that always does.
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
    const { recording, kept } = state.getState();
    const { decks: both } = decks.session.getState();
    const isHeard = status.getState().isSounding && deckIds.some((deck) => both[deck].is_playing);
    const isAtStake = isHeard || recording !== 'off' || kept.some(({ isTaken }) => !isTaken);
    if (isAtStake) stop ??= scope.listen(window, 'beforeunload', (event) => event.preventDefault());
    else {
      stop?.();
      stop = null;
    }
  };
  for (const store of [decks.session, status, state]) scope.own(store.subscribe(look));
  look();
}
