import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import { djArrangement } from '../../../state/decks/dj-layout.state.ts';
import { useIsNarrow } from '../../../ui/use-is-narrow.ts';
import { useStore } from '../../../ui/use-store.ts';

const findBar = () => document.querySelector('[data-lower-bar]');
const findWaveforms = () => document.querySelector('[data-waveforms]');
const stays = { side: 'none', align: 'shift', fallbackAxisSide: 'none' } as const;

/**
 * Returns the properties of a positioner that puts a popup where it covers no fader: over the region below the decks, or
 * over the waveforms where there is no such region. On a narrow page there are none, and the popup is beside its button.
 *
 * @param deck deck at whose side it opens; none for the mixer
 */
export function usePopupPosition(deck?: DeckId) {
  const layout = useStore(djArrangement, (arrangement) => arrangement.layout);
  const isNarrow = useIsNarrow();
  if (isNarrow) return {};
  const align = deck === 'a' ? 'start' : deck === 'b' ? 'end' : 'center';
  const common = { side: 'bottom', align, collisionAvoidance: stays } as const;
  if (layout === 'library') return { ...common, anchor: findBar, sideOffset: 0, 'data-over': 'region' };
  return {
    ...common,
    anchor: findWaveforms,
    sideOffset: ({ anchor }: { anchor: { height: number } }) => -anchor.height,
    'data-over': 'waveforms',
  };
}
