import { useEffect, useEffectEvent } from 'react';
import { countText } from '../../base/format.ts';
import { useBatchActions } from '../../state/batch-actions.ts';
import { allSelected, clearSelection, selection } from '../../state/selection.state.ts';
import { Button, IconButton } from '../../ui/button.tsx';
import { DownloadMenu } from '../../ui/download-menu.tsx';
import { isTyping } from '../../ui/is-typing.ts';
import { useStore } from '../../ui/use-store.ts';
import { CratePicker } from './crate-picker.tsx';
import styles from './selection-bar.module.css';
import { downloadFiles } from './track-files.ts';
import type { RowDialogs } from './use-row-dialogs.ts';

/** Actions on the selected tracks, over the end of the list. Escape clears the selection wherever the focus is. */
export function SelectionBar({ dialogs }: { dialogs: RowDialogs }) {
  const count = useStore(selection, ({ ids }) => ids.size);
  const batch = useBatchActions();
  const onKey = useEffectEvent((event: KeyboardEvent) => {
    if (event.key === 'Escape' && !event.defaultPrevented && !isTyping(event)) clearSelection();
  });
  useEffect(() => {
    const listener = (event: KeyboardEvent) => onKey(event);
    addEventListener('keydown', listener);
    return () => removeEventListener('keydown', listener);
  }, []);
  return (
    <div className={styles['bar']} role="toolbar" aria-label="Actions for the selection">
      <p className={styles['count']} role="status">
        {count.toLocaleString('en')} selected
      </p>
      <CratePicker />
      <Button small icon="tag" onClick={() => dialogs.edit(allSelected(), 'tags')}>
        Tag
      </Button>
      <Button small icon="edit" onClick={() => dialogs.edit(allSelected())}>
        Edit
      </Button>
      <Button small icon="pulse" onClick={() => void batch.analyze(allSelected())}>
        Analyse
      </Button>
      <Button small icon="split" onClick={() => void batch.separate(allSelected())}>
        Separate
      </Button>
      <DownloadMenu
        label="Download"
        groups={[
          [
            { label: 'Audio', does: () => void downloadFiles(allSelected(), 'audio') },
            { label: 'Stems (ZIP)', does: () => void downloadFiles(allSelected(), 'stems') },
          ],
        ]}
      />
      <IconButton
        small
        icon="trash"
        label={`Delete ${countText(count, 'track')}`}
        onClick={() => dialogs.remove(allSelected())}
      />
      <IconButton small icon="close" label="Clear selection" onClick={clearSelection} />
    </div>
  );
}
