import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import styles from './question-dialog.module.css';

/** Asks before something stops or is lost. To close it leaves everything as it is, as the first answer does. */
export function QuestionDialog({
  title,
  stay,
  go,
  onAnswer,
  children,
}: {
  title: string;
  /** The answer that leaves everything as it is, and the one that does what is asked about. */
  stay: string;
  go: string;
  onAnswer: (isWanted: boolean) => void;
  /** What would happen. */
  children: ReactNode;
}) {
  return (
    <Dialog title={title} onClose={() => onAnswer(false)}>
      <p className={styles['question']}>{children}</p>
      <div className={styles['answers']}>
        <Button look="primary" onClick={() => onAnswer(false)}>
          {stay}
        </Button>
        <Button onClick={() => onAnswer(true)}>{go}</Button>
      </div>
    </Dialog>
  );
}
