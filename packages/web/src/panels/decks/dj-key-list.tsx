import { KeyListDialog } from '../../ui/key-list-dialog.tsx';
import { libraryKeys } from '../track/player-keys.ts';
import { djKeys } from './dj-keys.ts';

/** Tracks are loaded instead of opened and played. */
const rowKeys = [
  { keys: 'Shift + ← →', does: 'Load the track on deck A or B' },
  ...libraryKeys.filter(({ keys }) => keys !== 'Space' && keys !== 'Enter' && !keys.includes('←')),
];

const groups = [
  { name: 'Decks', keys: djKeys },
  { name: 'Library, on a row', keys: rowKeys },
];

/** All keys of the decks, and those of the list of tracks. */
export function DjKeyList({ onClose }: { onClose: () => void }) {
  return <KeyListDialog groups={groups} onClose={onClose} />;
}
