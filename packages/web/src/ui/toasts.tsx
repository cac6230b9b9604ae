import { Toast } from '@base-ui/react/toast';
import { useState } from 'react';
import { pendingToasts, takeToasts } from '../state/toasts.state.ts';
import { buttonClass } from './button.tsx';
import { Icon } from './icon.tsx';
import styles from './toasts.module.css';
import { useScope } from './use-scope.ts';

/** Shows the toasts, including those requested before this component was loaded. */
export function Toasts() {
  const [manager] = useState(() => Toast.createToastManager());
  useScope(
    (scope) => {
      const show = () => {
        for (const { title, description, isError, timeoutMs, action } of takeToasts()) {
          const id = manager.add({
            title,
            description,
            timeout: timeoutMs,
            ...(isError ? { type: 'error', priority: 'high' as const } : {}),
            ...(action ? { actionProps: { children: action.label, onClick: () => act() } } : {}),
          });
          const act = () => {
            manager.close(id);
            action?.perform();
          };
        }
      };
      scope.own(pendingToasts.subscribe(show));
      show();
    },
    [manager],
  );
  return (
    <Toast.Provider toastManager={manager} limit={3}>
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
        <div className={styles['text']}>
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
