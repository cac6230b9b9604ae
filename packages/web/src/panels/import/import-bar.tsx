import { importCatalog } from '@stem-studio/contract/endpoints/catalog';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, lazy, useRef, useState } from 'react';
import { errorText } from '../../client/api-error.ts';
import { call } from '../../client/call.ts';
import { Button } from '../../ui/button.tsx';
import { inputClass } from '../../ui/field.tsx';
import { importText } from '../../ui/import-text.ts';
import { LazyPart } from '../../ui/lazy-part.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import styles from './import-bar.module.css';

const CatalogDialog = lazy(() =>
  import('./catalog-dialog.tsx').then((module) => ({ default: module.CatalogDialog })),
);

/** Whether what was typed is meant as a link; anything else is words to search by. */
function isLink(text: string): boolean {
  return /^\S*[:/]\S*$/.test(text);
}

/** The way in: a link, words to look for, or files. */
export function ImportBar({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const isNarrow = useIsNarrow();
  const [link, setLink] = useState('');
  const [browsing, setBrowsing] = useState<string | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const bring = useMutation({
    mutationFn: (url: string) => call(importCatalog, { body: { url } }),
    onSuccess: () => setLink(''),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = link.trim();
    if (isLink(text)) bring.mutate(text);
    else setBrowsing(text);
  };
  return (
    <form className={styles['bar']} onSubmit={submit}>
      <input
        className={inputClass}
        aria-label="Catalog link"
        placeholder={
          isNarrow
            ? 'Paste a catalog link'
            : 'Paste a catalog link, type what to look for, or drop audio files anywhere'
        }
        autoComplete="off"
        spellCheck={false}
        maxLength={2048}
        value={link}
        aria-invalid={bring.isError}
        aria-describedby="import-answer"
        onChange={(event) => {
          setLink(event.target.value);
          if (!bring.isIdle && !bring.isPending) bring.reset();
        }}
      />
      <Button look="primary" type="submit" disabled={bring.isPending || link.trim() === ''}>
        {bring.isPending ? 'Importing…' : link.trim() === '' || isLink(link.trim()) ? 'Import' : 'Search'}
      </Button>
      <Button icon="search" aria-label="Browse the catalog" onClick={() => setBrowsing('')}>
        <span className={styles['files']}>Browse</span>
      </Button>
      <Button icon="upload" aria-label="Choose audio files" onClick={() => picker.current?.click()}>
        <span className={styles['files']}>Files</span>
      </Button>
      <input
        ref={picker}
        hidden
        type="file"
        multiple
        accept="audio/*,.wav,.aif,.aiff,.flac,.mp3,.m4a,.aac,.ogg,.opus"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
      <p id="import-answer" className={styles['answer']} role="status" data-failed={bring.isError}>
        {bring.isError && `Nothing was imported. ${errorText(bring.error)}`}
        {bring.data && importText(bring.data.data)}
      </p>
      {browsing !== null && (
        <LazyPart name="The catalog" look="popup" onClose={() => setBrowsing(null)}>
          <CatalogDialog words={browsing} onClose={() => setBrowsing(null)} />
        </LazyPart>
      )}
    </form>
  );
}
