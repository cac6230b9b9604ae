import { FileButton } from '../../ui/file-button.tsx';

/** Button that chooses a project archive and uploads it; the list of uploads shows its progress. */
export function OpenArchiveButton({
  onFiles,
  small = false,
}: {
  onFiles: (files: readonly File[]) => void;
  small?: boolean;
}) {
  return (
    <FileButton
      small={small}
      title="Opens a project that was exported with its audio"
      inputLabel="Project archive"
      accept=".zip,application/zip"
      onFiles={onFiles}
    >
      Open archive
    </FileButton>
  );
}
