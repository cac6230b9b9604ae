import { errorText } from '../../client/api-error.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './storage-notice.module.css';

/** Error line above the former list while the requested one could not be loaded. */
export function ListError({ error, onRetry }: { error: unknown; onRetry: () => void }) {
  return (
    <div className={styles['line']} role="alert">
      <Icon name="warning" size={16} />
      <span className={styles['text']}>
        This list could not be loaded; the former one is shown. {errorText(error)}
      </span>
      <Button small onClick={onRetry}>
        Retry
      </Button>
    </div>
  );
}
