/** Keyboard shortcuts of the track list, as the lists of keyboard shortcuts show them. */
export const libraryKeys: readonly { keys: string; does: string }[] = [
  { keys: '↑ ↓', does: 'Move through the tracks' },
  { keys: 'Enter', does: 'Open the track' },
  { keys: 'Space', does: 'Play the track' },
  { keys: 'E', does: 'Edit the track' },
  { keys: 'Alt + ↑ ↓', does: 'Move the track in its crate' },
  { keys: 'Delete', does: 'Delete the track, with Undo' },
  { keys: '0 to 5', does: 'Rate the track' },
  { keys: 'Shift ↑ ↓', does: 'Select tracks' },
  { keys: '⌘A, Ctrl A', does: 'Select all tracks' },
  { keys: '⌘Z, Ctrl Z', does: 'Undo the last change of the library' },
  { keys: '/, ⌘K, Ctrl K', does: 'Search' },
];
