import { cancelImport } from '@stem-studio/contract/endpoints/imports';
import type { LibraryImport } from '@stem-studio/contract/resources/import';
import { useQuery } from '@tanstack/react-query';
import { useState } from 'react';
import { errorText } from '../../client/api-error.ts';
import { call } from '../../client/call.ts';
import { importsQuery } from '../../client/catalog-queries.ts';
import { toastError } from '../../state/toasts.state.ts';
import { Button } from '../../ui/button.tsx';
import { importProgressText, sumOfImports } from '../../ui/import-text.ts';
import { ProgressBar } from '../../ui/progress-bar.tsx';
import { TransferRow } from './transfer-row.tsx';
import styles from './transfers.module.css';

async function cancel({ id, title }: LibraryImport): Promise<void> {
  try {
    await call(cancelImport, { params: { id } });
  } catch (error) {
    toastError(`The import of “${title}” was not cancelled`, errorText(error));
  }
}

/** Running imports of albums and playlists in one line; its list has a cancel button for each. */
export function ImportList() {
  const imports = useQuery(importsQuery());
  const [isOpen, setIsOpen] = useState(false);
  const list = imports.data ?? [];
  const [first] = list;
  if (!first) return null;
  const sum = sumOfImports(list);
  const title = list.length === 1 ? `“${first.title}”` : `${list.length} lists`;
  return (
    <section className={styles['transfers']} aria-label="Imports">
      <TransferRow
        name="imports"
        text={`Importing ${title}: ${importProgressText(sum)}`}
        percent={sum.progress}
        isOpen={isOpen}
        onToggle={() => setIsOpen(!isOpen)}
      >
        <Button small onClick={() => void Promise.all(list.map(cancel))}>
          {list.length === 1 ? 'Cancel' : 'Cancel all'}
        </Button>
      </TransferRow>
      {isOpen && (
        <ul className={styles['list']}>
          {list.map((one) => (
            <li key={one.id} className={styles['line']}>
              <span className={styles['name']} title={one.title}>
                {one.title}
              </span>
              <span className={styles['state']}>
                <ProgressBar percent={one.progress} label={`Import of ${one.title}`} />
                <span className={styles['figures']}>{importProgressText(one)}</span>
              </span>
              <Button
                small
                icon="close"
                aria-label={`Cancel import of ${one.title}`}
                onClick={() => void cancel(one)}
              >
                Cancel
              </Button>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
