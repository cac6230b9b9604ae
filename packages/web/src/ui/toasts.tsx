import { Toast } from '@base-ui/react/toast';
import { buttonClass } from './button.tsx';
import { Icon } from './icon.tsx';
import styles from './toasts.module.css';

/** Where anything in the page says a short word that goes away by itself. */
export const toasts = Toast.createToastManager();

/** Says that something went wrong; stays until read. */
export function toastError(title: string, description: string): void {
  toasts.add({ title, description, type: 'error', priority: 'high', timeout: 12_000 });
}

/** Draws what {@link toasts} was given. */
export function Toasts() {
  return (
    <Toast.Provider toastManager={toasts} limit={3}>
      <Toast.Portal>
        <Toast.Viewport className={styles['viewport']}>
          <ToastList />
        </Toast.Viewport>
      </Toast.Portal>
    </Toast.Provider>
  );
}

function ToastList() {
  const { toasts: shown } = Toast.useToastManager();
  return shown.map((toast) => (
    <Toast.Root key={toast.id} toast={toast} className={styles['toast']} data-kind={toast.type ?? 'plain'}>
      <Toast.Content className={styles['content']}>
        <div className={styles['words']}>
          <Toast.Title className={styles['title']} />
          <Toast.Description className={styles['description']} />
        </div>
        <Toast.Action className={buttonClass({ small: true })} />
        <Toast.Close className={buttonClass({ look: 'quiet', small: true }, true)} aria-label="Dismiss">
          <Icon name="close" size={16} />
        </Toast.Close>
      </Toast.Content>
    </Toast.Root>
  ));
}
