import { useRef } from 'react';
import { Button } from '../ui/button.tsx';
import styles from './header.module.css';

/** Button that opens the file picker for uploads; an icon on narrow pages. */
export function FileButton({ onFiles }: { onFiles: (files: readonly File[]) => void }) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        icon="upload"
        className={styles['upload']}
        title="Upload audio files or project archives"
        onClick={() => picker.current?.click()}
      >
        <span>Upload</span>
      </Button>
      <input
        ref={picker}
        hidden
        type="file"
        multiple
        aria-label="Audio files"
        accept="audio/*,.wav,.aif,.aiff,.flac,.mp3,.m4a,.aac,.ogg,.opus,.zip"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </>
  );
}
