import type { DeckId } from '@stem-studio/contract/resources/deck-id';
import type { Track } from '@stem-studio/contract/resources/track';
import { isComparable } from '../../state/reference.state.ts';
import type { KeyPress } from '../../ui/key-press.ts';

/** Action of a key on the active row's track. */
export type RowAction =
  | { readonly do: 'open' | 'play' | 'delete' | 'edit' | 'compare' | 'menu' }
  | { readonly do: 'load'; readonly deck: DeckId }
  | { readonly do: 'rate'; readonly stars: number };

/** Change of the selection by a key. `extend` follows a key that moves through the rows. */
export type SelectionAction = 'all' | 'clear' | 'toggle' | 'extend';

/** Returns the change of the selection by a key, or null for every other key. */
export function selectionActionOf(press: KeyPress, hasSelection: boolean): SelectionAction | null {
  const { key, shiftKey, ctrlKey, metaKey, altKey } = press;
  if (altKey) return null;
  if ((ctrlKey || metaKey) && key.toLowerCase() === 'a') return 'all';
  if (ctrlKey || metaKey) return null;
  if (key === 'Escape') return hasSelection ? 'clear' : null;
  if (!shiftKey) return null;
  if (key === ' ') return 'toggle';
  return /^(ArrowUp|ArrowDown|PageUp|PageDown|End)$/.test(key) ? 'extend' : null;
}

/** Returns the action of a key on a track of the library, or null for every other key. */
export function rowActionOf(press: KeyPress, track: Pick<Track, 'audio' | 'key' | 'bpm'>): RowAction | null {
  const deck = press.key === 'ArrowLeft' ? 'a' : press.key === 'ArrowRight' ? 'b' : null;
  if (deck) return press.shiftKey && track.audio ? { do: 'load', deck } : null;
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  if (/^[0-5]$/.test(press.key)) return { do: 'rate', stars: Number(press.key) };
  switch (press.key) {
    case 'Enter':
      return { do: 'open' };
    case ' ':
      return { do: 'play' };
    case 'Delete':
      return { do: 'delete' };
    case 'e':
    case 'E':
      return { do: 'edit' };
    case 'f':
    case 'F':
      return isComparable(track) ? { do: 'compare' } : null;
    case 'ContextMenu':
      return { do: 'menu' };
    case 'F10':
      return press.shiftKey ? { do: 'menu' } : null;
    default:
      return null;
  }
}
