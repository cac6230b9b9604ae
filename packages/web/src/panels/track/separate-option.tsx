import { type ReactNode, useId, useState } from 'react';
import { IconButton } from '../../ui/button.tsx';
import styles from './separate-dialog.module.css';

/** A radio button with a label and a description, and details that a question mark shows. */
export function Option({
  group,
  label,
  isChosen,
  isDisabled = false,
  onChoose,
  details = null,
  children,
}: {
  group: string;
  label: string;
  isChosen: boolean;
  isDisabled?: boolean;
  onChoose: () => void;
  /** Figures that few need; null for none. */
  details?: string | null;
  children: ReactNode;
}) {
  const id = useId();
  const [isOpen, setOpen] = useState(false);
  return (
    <div className={styles['model']}>
      <input
        type="radio"
        name={group}
        id={id}
        aria-describedby={`${id}-description`}
        checked={isChosen}
        disabled={isDisabled}
        onChange={onChoose}
      />
      <div>
        <label htmlFor={id} className={styles['name']} data-disabled={isDisabled}>
          {label}
        </label>
        <p id={`${id}-description`} className={styles['description']}>
          {children}
        </p>
        {details !== null && isOpen && <p className={styles['details']}>{details}</p>}
      </div>
      {details !== null && (
        <IconButton
          small
          icon="help"
          label={`About ${label}`}
          aria-expanded={isOpen}
          onClick={() => setOpen(!isOpen)}
        />
      )}
    </div>
  );
}
