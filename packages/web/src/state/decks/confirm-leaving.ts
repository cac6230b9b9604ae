import type { Scope } from '@stem-studio/audio/base/scope';
import { deckIds } from '@stem-studio/contract/resources/deck-session';
import type { DjBooth } from './dj-engine.ts';

/**
 * Lets the browser ask before the page goes, for as long as `scope` lives, while that would end what sounds in this
 * window or lose a recording. Listens only then: browsers keep no page for the way back that always does.
 */
export function guardLeaving(
  scope: Scope,
  { decks, booth, state }: Pick<DjBooth, 'booth' | 'state'> & { decks: Pick<DjBooth['decks'], 'session'> },
): void {
  let stop: (() => void) | null = null;
  const look = () => {
    const { recording, kept } = state.getState();
    const { decks: both } = decks.session.getState();
    const isHeard = booth.getState().isSounding && deckIds.some((deck) => both[deck].is_playing);
    const isAtStake = isHeard || recording !== 'off' || kept.some(({ isTaken }) => !isTaken);
    if (isAtStake) stop ??= scope.listen(window, 'beforeunload', (event) => event.preventDefault());
    else {
      stop?.();
      stop = null;
    }
  };
  for (const store of [decks.session, booth, state]) scope.own(store.subscribe(look));
  look();
}
