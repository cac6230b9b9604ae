import { useRef } from 'react';
import { Button } from '../../ui/button.tsx';

/** Button that chooses a project archive and uploads it; the list of uploads shows its progress. */
export function OpenArchiveButton({
  onFiles,
  small = false,
}: {
  onFiles: (files: readonly File[]) => void;
  small?: boolean;
}) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button
        small={small}
        title="Opens a project that was exported with its audio"
        onClick={() => picker.current?.click()}
      >
        Open archive
      </Button>
      <input
        ref={picker}
        hidden
        type="file"
        aria-label="Project archive"
        accept=".zip,application/zip"
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </>
  );
}
