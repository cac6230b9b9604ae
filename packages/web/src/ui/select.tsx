import { Select as Base } from '@base-ui/react/select';
import type { ReactNode } from 'react';
import { Icon } from './icon.tsx';
import styles from './select.module.css';

/** One choice of a {@link Select}. */
export interface SelectOption<Value extends string> {
  readonly value: Value;
  readonly label: string;
}

interface SelectProps<Value extends string> {
  /** Label; also the name for screen readers. */
  readonly label: string;
  readonly value: Value;
  readonly options: readonly SelectOption<Value>[];
  readonly onChange: (value: Value) => void;
  readonly disabled?: boolean;
}

/** A select with its label above, for forms. */
export function SelectField<Value extends string>({ label, ...rest }: SelectProps<Value>) {
  return (
    <SelectRoot {...rest}>
      <div className={styles['field']}>
        <Base.Label className={styles['label']}>{label}</Base.Label>
        <Base.Trigger className={styles['trigger']}>
          <Base.Value className={styles['value']} />
          <Arrow />
        </Base.Trigger>
      </div>
      <Options options={rest.options} label={label} keepsFocus />
    </SelectRoot>
  );
}

/**
 * A small select for toolbars, with a label for screen readers only. After a choice by pointer it gives up the focus, so
 * that the shortcuts of the page work again.
 */
export function Select<Value extends string>({
  label,
  title = label,
  className = '',
  ...rest
}: SelectProps<Value> & { readonly title?: string; readonly className?: string | undefined }) {
  return (
    <SelectRoot {...rest}>
      <Base.Trigger
        className={`${styles['trigger']} ${styles['small']} ${className}`}
        aria-label={label}
        title={title}
      >
        <Base.Value className={styles['value']} />
        <Arrow />
      </Base.Trigger>
      <Options options={rest.options} label={label} keepsFocus={false} />
    </SelectRoot>
  );
}

function SelectRoot<Value extends string>({
  value,
  options,
  onChange,
  disabled,
  children,
}: Omit<SelectProps<Value>, 'label'> & { readonly children: ReactNode }) {
  return (
    <Base.Root
      items={options}
      value={value}
      // Not modal, because that would lock the scroll bar of the page and shift its content.
      modal={false}
      disabled={disabled}
      onValueChange={(chosen) => {
        // When the selected option disappears, such as an output that is unplugged, the component would select another.
        if (chosen !== null && options.some((option) => option.value === value)) onChange(chosen);
      }}
    >
      {children}
    </Base.Root>
  );
}

function Arrow() {
  return (
    <Base.Icon className={styles['arrow']}>
      <Icon name="expand" size={16} />
    </Base.Icon>
  );
}

function Options({
  options,
  label,
  keepsFocus,
}: {
  readonly options: readonly SelectOption<string>[];
  readonly label: string;
  readonly keepsFocus: boolean;
}) {
  return (
    <Base.Portal>
      <Base.Positioner className={styles['positioner']} alignItemWithTrigger={false} sideOffset={4}>
        <Base.Popup
          className={styles['popup']}
          finalFocus={(closedBy) => keepsFocus || closedBy === 'keyboard'}
        >
          <Base.List className={styles['list']} aria-label={label}>
            {options.map(({ value, label: text }) => (
              <Base.Item key={value} value={value} className={styles['option']}>
                <Base.ItemText>{text}</Base.ItemText>
                <Base.ItemIndicator className={styles['chosen']}>
                  <Icon name="check" size={16} />
                </Base.ItemIndicator>
              </Base.Item>
            ))}
          </Base.List>
        </Base.Popup>
      </Base.Positioner>
    </Base.Portal>
  );
}
