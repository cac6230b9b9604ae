import { Icon } from '../../ui/icon.tsx';
import styles from './drop-overlay.module.css';
import { useFileDrop } from './use-file-drop.ts';

/** The whole window takes files; while some are held over it, it says so. */
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
