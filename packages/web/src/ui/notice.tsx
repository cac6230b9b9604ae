import type { ReactNode } from 'react';
import { Icon, type IconName } from './icon.tsx';
import styles from './notice.module.css';

/** An empty state or an error: heading, text and buttons. */
export function Notice({
  icon,
  title,
  children,
  actions,
  isError = false,
}: {
  icon: IconName;
  title: string;
  children?: ReactNode;
  actions?: ReactNode;
  isError?: boolean;
}) {
  return (
    <div className={styles['notice']} role={isError ? 'alert' : undefined}>
      <span className={isError ? styles['danger'] : undefined}>
        <Icon name={icon} size={32} />
      </span>
      <h2>{title}</h2>
      {children && <p>{children}</p>}
      {actions && <div className={styles['actions']}>{actions}</div>}
    </div>
  );
}
