import { cancelImport } from '@stem-studio/contract/endpoints/imports';
import { useQuery } from '@tanstack/react-query';
import { errorText } from '../../client/api-error.ts';
import { call } from '../../client/call.ts';
import { importsQuery } from '../../client/queries.ts';
import { toastError } from '../../state/toasts.state.ts';
import { Button } from '../../ui/button.tsx';
import { importProgressText } from '../../ui/import-text.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import styles from './import-list.module.css';

/** Running imports of albums and playlists, each with its progress and a cancel button. */
export function ImportList() {
  const imports = useQuery(importsQuery());
  if (!imports.data || imports.data.length === 0) return null;
  const cancel = async (id: string, title: string) => {
    try {
      await call(cancelImport, { params: { id } });
    } catch (error) {
      toastError(`The import of “${title}” was not cancelled`, errorText(error));
    }
  };
  return (
    <section className={styles['imports']} aria-label="Imports">
      <ul>
        {imports.data.map((one) => (
          <li key={one.id} className={styles['line']}>
            <span className={styles['title']} title={one.title}>
              {one.title}
            </span>
            <span className={styles['state']}>
              <ProgressBar percent={one.progress} label={`Import of ${one.title}`} />
              <span className={styles['text']}>{importProgressText(one)}</span>
            </span>
            <Button small icon="close" onClick={() => void cancel(one.id, one.title)}>
              Cancel
            </Button>
          </li>
        ))}
      </ul>
    </section>
  );
}
