import type { GridEdit } from '@stem-studio/contract/resources/beat-grid';
import type { KeyPress } from '../../ui/key-press.ts';

/** Action of a key on the beat grid; actions at a position use that of the playhead. */
export type GridAction =
  | { do: 'tap' | 'downbeat' | 'align' }
  | { do: 'nudge'; ms: number }
  | { do: 'edit'; edit: GridEdit };

/** Keyboard shortcuts of the beat grid, as the list of keyboard shortcuts shows them. */
export const gridKeys: readonly { keys: string; does: string }[] = [
  { keys: 'T', does: 'Tap tempo' },
  { keys: 'D', does: 'Set downbeat' },
  { keys: 'B', does: 'Align beat' },
  { keys: ', .', does: 'Move grid by 1 ms' },
  { keys: 'Shift + , .', does: 'Move grid by 10 ms' },
  { keys: '[ ]', does: 'Move grid by half a beat' },
  { keys: '- +', does: 'Halve or double BPM' },
  { keys: 'Ctrl Z', does: 'Undo; with Shift: redo' },
];

/** Returns the action of a key on the beat grid, or null for every other key. */
export function gridActionOf(press: KeyPress): GridAction | null {
  const key = press.key.toLowerCase();
  if (press.altKey) return null;
  if (press.ctrlKey || press.metaKey) {
    if (key === 'z') return { do: 'edit', edit: { edit: press.shiftKey ? 'redo' : 'undo' } };
    return key === 'y' ? { do: 'edit', edit: { edit: 'redo' } } : null;
  }
  // With Shift, comma and full stop are < and > on some keyboard layouts, ; and : on others.
  if (',<;'.includes(key) || '.>:'.includes(key)) {
    const isLater = '.>:'.includes(key);
    if (!press.shiftKey && key !== ',' && key !== '.') return null;
    return { do: 'nudge', ms: (isLater ? 1 : -1) * (press.shiftKey ? 10 : 1) };
  }
  switch (key) {
    case 't':
      return { do: 'tap' };
    case 'd':
      return { do: 'downbeat' };
    case 'b':
      return { do: 'align' };
    case '[':
    case ']':
      return { do: 'edit', edit: { edit: 'shift_beats', beats: key === '[' ? -0.5 : 0.5 } };
    case '-':
      return { do: 'edit', edit: { edit: 'multiply', factor: '1/2' } };
    case '+':
    case '=':
      return { do: 'edit', edit: { edit: 'multiply', factor: '2' } };
    default:
      return null;
  }
}
