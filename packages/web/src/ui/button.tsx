import type { ComponentProps } from 'react';
import styles from './button.module.css';
import { Icon, type IconName } from './icon.tsx';

interface Look {
  look?: 'plain' | 'primary' | 'quiet';
  small?: boolean;
  icon?: IconName;
}

/** Returns the classes of a button, for links that look like one. */
export function buttonClass({ look = 'plain', small = false }: Look, isIconOnly = false): string {
  const names = [styles['button']];
  if (look !== 'plain') names.push(styles[look]);
  if (small) names.push(styles['small']);
  if (isIconOnly) names.push(styles['icon']);
  return names.join(' ');
}

/** A button with a text. */
export function Button({ look, small, icon, className, children, ...rest }: ComponentProps<'button'> & Look) {
  return (
    <button type="button" {...rest} className={`${buttonClass({ look, small })} ${className ?? ''}`}>
      {icon && <Icon name={icon} size={small ? 16 : 18} />}
      {children}
    </button>
  );
}

/** A button that shows only an icon; `label` is its tooltip and its name for screen readers. */
export function IconButton({
  look = 'quiet',
  small,
  icon,
  label,
  className,
  ...rest
}: ComponentProps<'button'> & Look & { icon: IconName; label: string }) {
  return (
    <button
      type="button"
      title={label}
      {...rest}
      aria-label={label}
      className={`${buttonClass({ look, small }, true)} ${className ?? ''}`}
    >
      <Icon name={icon} size={small ? 16 : 20} />
    </button>
  );
}
