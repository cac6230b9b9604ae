import { Icon } from '../../ui/icon.tsx';
import styles from './drop-overlay.module.css';
import { useFileDrop } from './use-file-drop.ts';

/** Accepts files dropped anywhere on the window; shows an overlay while files are dragged over it. */
export function DropOverlay({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const isOver = useFileDrop(onFiles);
  if (!isOver) return null;
  return (
    <div className={styles['overlay']}>
      <div>
        <Icon name="upload" size={40} />
        <p>Drop to add to the library</p>
      </div>
    </div>
  );
}
