import type { KeyPress } from '../../ui/key-press.ts';

/** Action of a key in the editor. */
export type EditorAction =
  | 'play'
  | 'loop'
  | 'split'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'duplicate'
  | 'delete'
  | 'remove-time'
  | 'undo'
  | 'redo'
  | 'select-all'
  | 'left'
  | 'right'
  | 'select-left'
  | 'select-right'
  | 'lane-up'
  | 'lane-down'
  | 'start'
  | 'end'
  | 'zoom-in'
  | 'zoom-out'
  | 'fit'
  | 'mute'
  | 'solo'
  | 'select-lane'
  | 'marker'
  | 'notes'
  | 'escape'
  | 'list-keys';

/** Keyboard shortcuts of the editor, as the list of keyboard shortcuts shows them. */
export const editorKeys: readonly { keys: string; does: string }[] = [
  { keys: 'Space', does: 'Play or pause' },
  { keys: 'L', does: 'Loop selection' },
  { keys: 'S', does: 'Split at cursor' },
  { keys: 'Ctrl X C V', does: 'Cut, copy, paste' },
  { keys: 'Ctrl D', does: 'Duplicate' },
  { keys: 'Delete', does: 'Delete; with Shift: remove time' },
  { keys: 'Ctrl Z', does: 'Undo; with Shift: redo' },
  { keys: 'Ctrl A', does: 'Select all; with Shift: the lane' },
  { keys: '← →', does: 'Move cursor; with Shift: select' },
  { keys: '↑ ↓', does: 'Choose lane' },
  { keys: 'Home End', does: 'Cursor to start or end' },
  { keys: '+ −', does: 'Zoom; 0: whole song' },
  { keys: 'M', does: 'Mute lane; Shift S: solo' },
  { keys: 'K', does: 'Set marker' },
  { keys: 'N', does: 'Notes of lane' },
  { keys: 'Ctrl drag', does: 'Edge of a clip: stretch; inside: move an onset' },
  { keys: 'Shift F10', does: 'Menu of the selection' },
  { keys: 'Esc', does: 'Cancel drag, clear selection' },
];

const withCommand: Readonly<Record<string, EditorAction>> = {
  x: 'cut',
  c: 'copy',
  v: 'paste',
  d: 'duplicate',
  z: 'undo',
  y: 'redo',
  a: 'select-all',
};
const plain: Readonly<Record<string, EditorAction>> = {
  ' ': 'play',
  l: 'loop',
  s: 'split',
  m: 'mute',
  k: 'marker',
  n: 'notes',
  delete: 'delete',
  backspace: 'delete',
  arrowleft: 'left',
  arrowright: 'right',
  arrowup: 'lane-up',
  arrowdown: 'lane-down',
  home: 'start',
  end: 'end',
  '+': 'zoom-in',
  '=': 'zoom-in',
  '-': 'zoom-out',
  '0': 'fit',
  escape: 'escape',
};
const withShift: Readonly<Record<string, EditorAction>> = {
  s: 'solo',
  delete: 'remove-time',
  backspace: 'remove-time',
  arrowleft: 'select-left',
  arrowright: 'select-right',
  '+': 'zoom-in',
  '?': 'list-keys',
};

/** Returns the action of a key in the editor, or null for every other key. */
export function editorActionOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyPress): EditorAction | null {
  const name = key.toLowerCase();
  if (altKey) return null;
  if (ctrlKey || metaKey) {
    if (shiftKey) return name === 'z' ? 'redo' : name === 'a' ? 'select-lane' : null;
    return withCommand[name] ?? null;
  }
  // Some keyboard layouts write ? without Shift.
  if (name === '?') return 'list-keys';
  return (shiftKey ? withShift : plain)[name] ?? null;
}
