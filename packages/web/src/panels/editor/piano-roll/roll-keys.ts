import type { KeyPress } from '../../../ui/key-press.ts';

/** Action of a key in the piano roll. */
export type RollAction =
  | 'left'
  | 'right'
  | 'up'
  | 'down'
  | 'octave-up'
  | 'octave-down'
  | 'shorter'
  | 'longer'
  | 'softer'
  | 'louder'
  | 'previous'
  | 'next'
  | 'draw'
  | 'draw-mode'
  | 'delete'
  | 'quantise'
  | 'select-all'
  | 'cut'
  | 'copy'
  | 'paste'
  | 'duplicate'
  | 'escape';

/** Keyboard shortcuts of the piano roll, as the list of keyboard shortcuts shows them. */
export const rollKeys: readonly { keys: string; does: string }[] = [
  { keys: '← → ↑ ↓', does: 'Move notes by a grid step or semitone' },
  { keys: 'Shift ↑ ↓', does: 'Move notes by an octave' },
  { keys: 'Shift ← →', does: 'Shorten or lengthen notes' },
  { keys: 'Alt ↑ ↓', does: 'Change velocity' },
  { keys: 'Alt ← →', does: 'Select previous or next note' },
  { keys: 'Enter', does: 'Draw a note at the cursor' },
  { keys: 'B', does: 'Draw mode' },
  { keys: 'Q', does: 'Quantise' },
  { keys: 'Ctrl A', does: 'Select all notes' },
  { keys: 'Ctrl X C V', does: 'Cut, copy, paste notes' },
  { keys: 'Ctrl D', does: 'Duplicate notes' },
  { keys: 'Delete', does: 'Delete notes' },
  { keys: 'Alt drag', does: 'Without snapping; Ctrl drag: copy' },
];

const plain: Readonly<Record<string, RollAction>> = {
  arrowleft: 'left',
  arrowright: 'right',
  arrowup: 'up',
  arrowdown: 'down',
  enter: 'draw',
  b: 'draw-mode',
  delete: 'delete',
  backspace: 'delete',
  q: 'quantise',
  escape: 'escape',
};
const withShift: Readonly<Record<string, RollAction>> = {
  arrowup: 'octave-up',
  arrowdown: 'octave-down',
  arrowleft: 'shorter',
  arrowright: 'longer',
};
const withAlt: Readonly<Record<string, RollAction>> = {
  arrowup: 'louder',
  arrowdown: 'softer',
  arrowleft: 'previous',
  arrowright: 'next',
};
const withCommand: Readonly<Record<string, RollAction>> = {
  a: 'select-all',
  x: 'cut',
  c: 'copy',
  v: 'paste',
  d: 'duplicate',
};

/** Returns the action of a key in the piano roll, or null for every other key. */
export function rollActionOf({ key, shiftKey, ctrlKey, metaKey, altKey }: KeyPress): RollAction | null {
  const name = key.toLowerCase();
  const isCommand = ctrlKey || metaKey;
  const modifiers = [shiftKey, isCommand, altKey].filter(Boolean).length;
  if (modifiers > 1) return null;
  const keys = isCommand ? withCommand : shiftKey ? withShift : altKey ? withAlt : plain;
  return keys[name] ?? null;
}
