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

/** Whether a text is a link instead of a search. */
function isLink(text: string): boolean {
  return /^\S*[:/]\S*$/.test(text);
}

/** Import of a catalog link or of files, and the search of the catalog. */
export function ImportBar({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const isNarrow = useIsNarrow();
  const [link, setLink] = useState('');
  const [browsing, setBrowsing] = useState<string | null>(null);
  const picker = useRef<HTMLInputElement>(null);
  const request = useMutation({
    mutationFn: (url: string) => call(importCatalog, { body: { url } }),
    onSuccess: () => setLink(''),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    const text = link.trim();
    if (isLink(text)) request.mutate(text);
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
            : 'Paste a catalog link, search the catalog, or drop audio files anywhere'
        }
        autoComplete="off"
        spellCheck={false}
        maxLength={2048}
        value={link}
        aria-invalid={request.isError}
        aria-describedby="import-answer"
        onChange={(event) => {
          setLink(event.target.value);
          if (!request.isIdle && !request.isPending) request.reset();
        }}
      />
      <Button look="primary" type="submit" disabled={request.isPending || link.trim() === ''}>
        {request.isPending ? 'Importing…' : link.trim() === '' || isLink(link.trim()) ? 'Import' : 'Search'}
      </Button>
      <Button icon="search" aria-label="Browse catalog" onClick={() => setBrowsing('')}>
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
      <p id="import-answer" className={styles['answer']} role="status" data-failed={request.isError}>
        {request.isError && `Nothing was imported. ${errorText(request.error)}`}
        {request.data && importText(request.data.data)}
      </p>
      {browsing !== null && (
        <LazyPart name="The catalog" look="popup" onClose={() => setBrowsing(null)}>
          <CatalogDialog query={browsing} onClose={() => setBrowsing(null)} />
        </LazyPart>
      )}
    </form>
  );
}
