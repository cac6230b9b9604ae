import { importCatalog } from '@stem-studio/contract/endpoints/catalog';
import { useMutation } from '@tanstack/react-query';
import { type FormEvent, useRef, useState } from 'react';
import { wordsOf } from '../../client/api-error.ts';
import { call } from '../../client/call.ts';
import { Button } from '../../ui/button.tsx';
import { inputClass } from '../../ui/field.tsx';
import { useIsNarrow } from '../../ui/use-is-narrow.ts';
import styles from './import-bar.module.css';
import { importWords } from './import-words.ts';

/** The way in: a link, or files. */
export function ImportBar({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const isNarrow = useIsNarrow();
  const [link, setLink] = useState('');
  const picker = useRef<HTMLInputElement>(null);
  const bring = useMutation({
    mutationFn: (url: string) => call(importCatalog, { body: { url } }),
    onSuccess: () => setLink(''),
  });
  const submit = (event: FormEvent) => {
    event.preventDefault();
    if (link.trim() !== '') bring.mutate(link.trim());
  };
  return (
    <form className={styles['bar']} onSubmit={submit}>
      <input
        className={inputClass}
        aria-label="Catalog link"
        placeholder={isNarrow ? 'Paste a catalog link' : 'Paste a catalog link, or drop audio files anywhere'}
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
        {bring.isPending ? 'Importing…' : 'Import'}
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
        {bring.isError && `Nothing was imported. ${wordsOf(bring.error)}`}
        {bring.data && importWords(bring.data.data)}
      </p>
    </form>
  );
}
