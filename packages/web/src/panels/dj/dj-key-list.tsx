import { Dialog } from '../../ui/dialog.tsx';
import { libraryKeys } from '../track/player-keys.ts';
import trackStyles from '../track/track-panel.module.css';
import { djKeys } from './dj-keys.ts';

/** Tracks are loaded instead of opened and played. */
const rowKeys = [
  { keys: 'Shift + ← →', does: 'Load the track on deck A or B' },
  ...libraryKeys.filter(({ keys }) => keys !== 'Space' && keys !== 'Enter' && !keys.includes('←')),
];

/** All keys of the decks, and those of the list of tracks. */
export function DjKeyList({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <h3 className={trackStyles['keyHead']}>Decks</h3>
      <Keys keys={djKeys} />
      <h3 className={trackStyles['keyHead']}>Library, on a row</h3>
      <Keys keys={rowKeys} />
    </Dialog>
  );
}

function Keys({ keys }: { keys: typeof djKeys }) {
  return (
    <dl className={trackStyles['keyList']}>
      {keys.map(({ keys: names, does }) => (
        <div key={names}>
          <dt>
            <kbd>{names}</kbd>
          </dt>
          <dd>{does}</dd>
        </div>
      ))}
    </dl>
  );
}
