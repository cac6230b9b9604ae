import type { ReactNode } from 'react';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import styles from './question-dialog.module.css';

/** A confirmation dialog. Closing it cancels. */
export function QuestionDialog({
  title,
  stay,
  go,
  onAnswer,
  children,
}: {
  title: string;
  /** Labels of the buttons that cancel and confirm. */
  stay: string;
  go: string;
  onAnswer: (isWanted: boolean) => void;
  /** Consequence of confirming. */
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
