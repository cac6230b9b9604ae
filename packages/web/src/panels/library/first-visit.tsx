import { importCatalog } from '@stem-studio/contract/endpoints/catalog';
import { useMutation } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { errorText } from '../../client/api-error.ts';
import { call } from '../../client/call.ts';
import { pageMeta } from '../../client/page-meta.ts';
import { browseCatalog } from '../../state/catalog-view.state.ts';
import { Button } from '../../ui/button.tsx';
import { Mark } from '../../ui/mark.tsx';
import styles from './first-visit.module.css';

/** Empty library: what the studio does, the search field, and a button that imports the demo album. */
export function FirstVisit({ searchField }: { searchField: ReactNode }) {
  const url = pageMeta('demo-album-url');
  const demo = useMutation({ mutationFn: () => call(importCatalog, { body: { url } }) });
  const isImporting = demo.isPending || demo.isSuccess;
  return (
    <section className={styles['visit']} aria-labelledby="first-visit">
      <Mark size={72} />
      <h2 id="first-visit">Split any song into vocals, drums, bass and more.</h2>
      {searchField}
      <p>
        Drop audio files anywhere on this page, or{' '}
        <button type="button" className={styles['browse']} onClick={() => browseCatalog()}>
          browse the catalog
        </button>
        .
      </p>
      {url !== '' && (
        <div className={styles['demo']}>
          <div>
            <h3>No audio file ready?</h3>
            <p>Try the demo album: three songs, first stems within a minute.</p>
          </div>
          <Button look="primary" disabled={isImporting} onClick={() => demo.mutate()}>
            {isImporting ? 'Importing…' : 'Import demo album'}
          </Button>
          {demo.isError && (
            <p role="alert" className={styles['error']}>
              The demo album was not imported. {errorText(demo.error)}
            </p>
          )}
        </div>
      )}
    </section>
  );
}
