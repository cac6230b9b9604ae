import { type ComponentProps, useId } from 'react';
import styles from './field.module.css';

/** The classes of a text field, for fields that stand without a label of their own. */
export const inputClass = styles['input'] ?? '';

/** A text field under its label; `error` is what the service, or the page, has against its value. */
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
