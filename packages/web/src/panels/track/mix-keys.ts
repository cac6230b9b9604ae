import type { KeyPress } from '../../ui/key-press.ts';

/** Action of a key on the lanes of the mix. */
export type MixAction = 'zoom-in' | 'zoom-out' | 'fit';

/** Keyboard shortcuts of the lanes, as the list of keyboard shortcuts shows them. */
export const mixKeys: readonly { keys: string; does: string }[] = [
  { keys: '+ −', does: 'Zoom in or out' },
  { keys: '0', does: 'Show the whole song' },
];

/** Returns the action of a key on the lanes, or null for every other key. */
export function mixActionOf(press: KeyPress): MixAction | null {
  if (press.ctrlKey || press.metaKey || press.altKey) return null;
  switch (press.key) {
    case '+':
    case '=':
      return 'zoom-in';
    case '-':
      return 'zoom-out';
    case '0':
      return 'fit';
    default:
      return null;
  }
}
