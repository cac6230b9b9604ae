import { crateBounds } from '@stem-studio/contract/limits';
import { useRef } from 'react';
import styles from './sidebar.module.css';

/** A field for the name of a crate in its line. Enter and leaving it save, Escape does not; null for no name. */
export function NameField({
  label,
  name,
  onDone,
}: {
  label: string;
  name: string;
  onDone: (name: string | null) => void;
}) {
  const isDone = useRef(false);
  const finish = (value: string | null) => {
    if (isDone.current) return;
    isDone.current = true;
    const text = value?.trim() ?? '';
    onDone(text === '' ? null : text);
  };
  return (
    <input
      className={styles['field']}
      aria-label={label}
      placeholder="Name"
      defaultValue={name}
      maxLength={crateBounds.name}
      // oxlint-disable-next-line jsx-a11y/no-autofocus -- it opens where the user works
      autoFocus
      onFocus={(event) => event.currentTarget.select()}
      onBlur={(event) => finish(event.currentTarget.value)}
      onClick={(event) => event.stopPropagation()}
      onDoubleClick={(event) => event.stopPropagation()}
      onKeyDown={(event) => {
        event.stopPropagation();
        if (event.key === 'Enter') finish(event.currentTarget.value);
        if (event.key === 'Escape') finish(null);
      }}
    />
  );
}
