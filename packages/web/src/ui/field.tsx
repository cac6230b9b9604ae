import { type ComponentProps, useId } from 'react';
import styles from './field.module.css';

/** Classes of a text field, for fields without a label. */
export const inputClass = styles['input'] ?? '';

/** A text field with a label and an error message. */
export function Field({
  label,
  error = '',
  ...rest
}: ComponentProps<'input'> & { label: string; error?: string }) {
  const id = useId();
  return (
    <div className={styles['field']}>
      <label className={styles['label']} htmlFor={id}>
        {label}
      </label>
      <input
        {...rest}
        id={id}
        className={styles['input']}
        aria-invalid={error !== ''}
        aria-describedby={error === '' ? undefined : `${id}-error`}
      />
      {error !== '' && (
        <p className={styles['error']} id={`${id}-error`}>
          {error}
        </p>
      )}
    </div>
  );
}
