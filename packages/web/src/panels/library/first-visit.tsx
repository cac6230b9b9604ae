import { importCatalog } from '@stem-studio/contract/endpoints/catalog';
import { useMutation } from '@tanstack/react-query';
import { errorText } from '../../client/api-error.ts';
import { call } from '../../client/call.ts';
import { pageMeta } from '../../client/page-meta.ts';
import { Button } from '../../ui/button.tsx';
import { Icon } from '../../ui/icon.tsx';
import styles from './first-visit.module.css';

/** Empty library: a hint, and a button that imports the demo album. */
export function FirstVisit() {
  const url = pageMeta('demo-album-url');
  const demo = useMutation({ mutationFn: () => call(importCatalog, { body: { url } }) });
  return (
    <section className={styles['visit']} aria-labelledby="first-visit">
      <h1 id="first-visit">Split any song into vocals, drums, bass and more.</h1>
      <p>Paste a link above, or drop audio files anywhere on this page.</p>
      {url !== '' && (
        <div className={styles['demo']}>
          <span className={styles['art']} aria-hidden="true">
            <Icon name="music" size={24} />
          </span>
          <div>
            <h2>No audio file ready?</h2>
            <p>Try the demo album: three songs, first stems within a minute.</p>
          </div>
          <Button look="primary" disabled={demo.isPending || demo.isSuccess} onClick={() => demo.mutate()}>
            {demo.isPending || demo.isSuccess ? 'Importing…' : 'Import demo album'}
          </Button>
          <p className={styles['link']}>
            Link of the demo album: <code>{url}</code>
          </p>
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
