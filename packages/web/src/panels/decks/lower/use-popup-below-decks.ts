import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { djArrangement } from '../../../state/decks/dj-layout.state.ts';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { useStore } from '../../../ui/use-store.ts';

const findBar = () => document.querySelector('[data-lower-bar]');

/**
 * Returns the properties of a positioner that puts a popup over the region below the decks, where it covers no fader.
 * Without that region there are none, and the popup is beside its button.
 *
 * @param deck deck below which it opens; none for the mixer
 */
export function usePopupBelowDecks(deck?: DeckId) {
  const layout = useStore(djArrangement, (arrangement) => arrangement.layout);
  const isNarrow = useIsNarrow();
  if (layout !== 'library' || isNarrow) return {};
  return {
    anchor: findBar,
    side: 'bottom',
    align: deck === 'a' ? 'start' : deck === 'b' ? 'end' : 'center',
    sideOffset: 0,
    collisionAvoidance: { side: 'none', align: 'shift', fallbackAxisSide: 'none' },
  } as const;
}
