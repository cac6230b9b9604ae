import type { ReactNode } from 'react';
import { IconButton } from '../../ui/button.tsx';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import styles from './transfers.module.css';

/** Line that sums up uploads or imports, with its actions and a button that shows the list. */
export function TransferRow({
  name,
  text,
  percent,
  isOpen,
  onToggle,
  children,
}: {
  /** What is listed, such as `uploads`. */
  name: string;
  text: string;
  /** 0 to 100; null hides the bar. */
  percent: number | null;
  /** Whether the list is shown. */
  isOpen: boolean;
  onToggle: () => void;
  /** Actions on all. */
  children: ReactNode;
}) {
  return (
    <div className={styles['row']}>
      <p className={styles['text']} role="status">
        {text}
      </p>
      <span className={styles['progress']}>
        {percent !== null && <ProgressBar percent={percent} label={`Progress of ${name}`} />}
      </span>
      {children}
      <IconButton
        small
        icon={isOpen ? 'up' : 'down'}
        label={isOpen ? `Hide ${name}` : `Show ${name}`}
        aria-expanded={isOpen}
        onClick={onToggle}
      />
    </div>
  );
}
