import { Dialog as Base } from '@base-ui/react/dialog';
import { type ReactNode, useRef } from 'react';
import { buttonClass } from './button.tsx';
import styles from './dialog.module.css';
import { Icon } from './icon.tsx';

/** Fields that are typed into. */
const textFields = 'input:not([type="checkbox"], [type="radio"], [type="range"]), textarea';

/**
 * A modal dialog. Escape and a click outside close it. Its first text field has the focus, except after a touch, which
 * would open the keyboard of the screen.
 */
export function Dialog({
  title,
  onClose,
  children,
}: {
  title: string;
  onClose: () => void;
  children: ReactNode;
}) {
  const popup = useRef<HTMLDivElement>(null);
  return (
    <Base.Root open onOpenChange={(open) => !open && onClose()}>
      <Base.Portal>
        <Base.Backdrop className={styles['backdrop']} />
        <Base.Popup
          ref={popup}
          className={styles['popup']}
          initialFocus={(opened) =>
            (opened === 'touch' ? null : popup.current?.querySelector<HTMLElement>(textFields)) ?? true
          }
        >
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
