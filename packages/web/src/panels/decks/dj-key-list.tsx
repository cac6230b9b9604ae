import { KeyListDialog } from '../../ui/key-list-dialog.tsx';
import { libraryKeys } from '../../ui/library-keys.ts';
import { djKeys } from './dj-keys.ts';

/** In the decks' tab, track rows load tracks instead of opening and playing them. */
const rowKeys = [
  { keys: 'Shift + ← →', does: 'Load the track on deck A or B' },
  ...libraryKeys.filter(
    ({ keys }) => keys !== 'Space' && keys !== 'Enter' && keys !== '0 to 5' && !keys.includes('←'),
  ),
];

const groups = [
  { name: 'Decks', keys: djKeys },
  { name: 'Library, on a row', keys: rowKeys },
];

/** Dialog that lists the keys of the decks and of the track list. */
export function DjKeyList({ onClose }: { onClose: () => void }) {
  return <KeyListDialog groups={groups} onClose={onClose} />;
}
