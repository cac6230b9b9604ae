import { type ReactNode, useId } from 'react';
import styles from './separate-dialog.module.css';

/** A radio button with a label and a description. */
export function Option({
  group,
  label,
  isChosen,
  isDisabled = false,
  onChoose,
  children,
}: {
  group: string;
  label: string;
  isChosen: boolean;
  isDisabled?: boolean;
  onChoose: () => void;
  children: ReactNode;
}) {
  const id = useId();
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
      </div>
    </div>
  );
}
