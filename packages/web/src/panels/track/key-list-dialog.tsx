import { Dialog } from '../../ui/dialog.tsx';
import { gridKeys } from '../grid/grid-keys.ts';
import { libraryKeys, playerKeys } from './player-keys.ts';
import styles from './track-panel.module.css';

/** All keys of the page. */
export function KeyListDialog({ onClose }: { onClose: () => void }) {
  return (
    <Dialog title="Keys" onClose={onClose}>
      <h3 className={styles['keyHead']}>Player</h3>
      <KeyList keys={playerKeys} />
      <h3 className={styles['keyHead']}>Beat grid</h3>
      <KeyList keys={gridKeys} />
      <h3 className={styles['keyHead']}>Library</h3>
      <KeyList keys={libraryKeys} />
    </Dialog>
  );
}

function KeyList({ keys }: { keys: typeof playerKeys }) {
  return (
    <dl className={styles['keyList']}>
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
