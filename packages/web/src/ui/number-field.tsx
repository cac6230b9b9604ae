import { useState } from 'react';
import styles from './number-field.module.css';

/**
 * Text field for a number. Enter or leaving the field sets it, Escape cancels, the arrow keys step. A value outside the
 * range is marked while it is typed and not set.
 */
export function NumberField({
  name,
  unit,
  value,
  min,
  max,
  isDisabled,
  onSet,
  onStep,
}: {
  /** Accessible name. */
  name: string;
  unit: string;
  /** Current value, with at most two decimals; null where what it belongs to has several. */
  value: number | null;
  min: number;
  max: number;
  isDisabled: boolean;
  onSet: (value: number) => void;
  /** Steps up (1) or down (−1). */
  onStep: (direction: 1 | -1) => void;
}) {
  const [typed, setTyped] = useState<string | null>(null);
  const shown = value === null ? '' : String(value);
  const number = Number((typed ?? shown).replace(',', '.'));
  const isValid = typed === null || (typed.trim() !== '' && number >= min && number <= max);
  const done = (isKept: boolean) => {
    if (isKept && isValid && typed !== null && typed !== shown) onSet(number);
    setTyped(null);
  };
  return (
    <label className={styles['number']} data-invalid={!isValid}>
      <input
        inputMode="decimal"
        aria-label={name}
        aria-invalid={!isValid}
        title={`${min} to ${max} ${unit}`}
        value={typed ?? shown}
        placeholder={value === null ? 'mixed' : undefined}
        disabled={isDisabled}
        onFocus={(event) => event.currentTarget.select()}
        onChange={(event) => setTyped(event.target.value)}
        onBlur={() => done(true)}
        onKeyDown={(event) => {
          if (event.key === 'ArrowUp' || event.key === 'ArrowDown') {
            event.preventDefault();
            setTyped(null);
            onStep(event.key === 'ArrowUp' ? 1 : -1);
          }
          if (event.key !== 'Enter' && event.key !== 'Escape') return;
          done(event.key === 'Enter' && isValid);
          // Leaves the field, so that Space plays; an invalid value is discarded.
          event.currentTarget.blur();
        }}
      />
      <span aria-hidden="true">{unit}</span>
      {!isValid && (
        <span className={styles['range']} role="alert">
          {`${min} to ${max} ${unit}`}
        </span>
      )}
    </label>
  );
}
