import type { GridEdit } from '@stem-studio/contract/resources/beat-grid';
import type { KeyPress } from '../../ui/key-press.ts';

/** What a key does to a grid. Places are told when it is done. */
export type GridAction =
  | { do: 'tap' | 'click' | 'downbeat' | 'align' }
  | { do: 'nudge'; ms: number }
  | { do: 'edit'; edit: GridEdit };

/** The keys of the beat grid and what they do, as the list of keys shows them. */
export const gridKeys: readonly { keys: string; does: string }[] = [
  { keys: 'T', does: 'Tap on each beat while it plays' },
  { keys: 'C', does: 'Metronome on or off' },
  { keys: 'D', does: 'One is here' },
  { keys: 'B', does: 'A beat is here' },
  { keys: ', .', does: 'Grid 1 ms earlier or later' },
  { keys: 'Shift + , .', does: 'Grid 10 ms earlier or later' },
  { keys: '[ ]', does: 'Grid half a beat earlier or later' },
  { keys: '- +', does: 'Half or twice the beats' },
  { keys: 'Ctrl Z', does: 'Undo; with Shift do again' },
];

/** What a key press means for a grid; null for every other key. */
export function gridActionOf(press: KeyPress): GridAction | null {
  const key = press.key.toLowerCase();
  if (press.altKey) return null;
  if (press.ctrlKey || press.metaKey) {
    if (key === 'z') return { do: 'edit', edit: { edit: press.shiftKey ? 'redo' : 'undo' } };
    return key === 'y' ? { do: 'edit', edit: { edit: 'redo' } } : null;
  }
  // Where comma and full stop are, Shift makes < and > on some keyboards and ; and : on others.
  if (',<;'.includes(key) || '.>:'.includes(key)) {
    const isLater = '.>:'.includes(key);
    if (!press.shiftKey && key !== ',' && key !== '.') return null;
    return { do: 'nudge', ms: (isLater ? 1 : -1) * (press.shiftKey ? 10 : 1) };
  }
  switch (key) {
    case 't':
      return { do: 'tap' };
    case 'c':
      return { do: 'click' };
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
