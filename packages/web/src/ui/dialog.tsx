import { Dialog as Base } from '@base-ui/react/dialog';
import type { ReactNode } from 'react';
import { buttonClass } from './button.tsx';
import styles from './dialog.module.css';
import { Icon } from './icon.tsx';

/** A modal dialog. Escape and a click outside close it. */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles['backdrop']} />
        <Base.Popup className={styles['popup']}>
          <div className={styles['head']}>
            <Base.Title className={styles['title']}>{title}</Base.Title>
            <Base.Close className={buttonClass({ look: 'quiet', small: true }, true)} aria-label="Close">
              <Icon name="close" size={16} />
            </Base.Close>
          </div>
          {children}
        </Base.Popup>
      </Base.Portal>
    </Base.Root>
  );
}
