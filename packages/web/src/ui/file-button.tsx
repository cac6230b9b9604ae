import { type ComponentProps, useRef } from 'react';
import { Button } from './button.tsx';

/** A button that opens the file picker. `inputLabel` names its input for screen readers. */
export function FileButton({
  onFiles,
  inputLabel,
  accept,
  multiple = false,
  ...button
}: Omit<ComponentProps<typeof Button>, 'onClick'> & {
  onFiles: (files: readonly File[]) => void;
  inputLabel: string;
  accept: string;
  multiple?: boolean;
}) {
  const picker = useRef<HTMLInputElement>(null);
  return (
    <>
      <Button {...button} onClick={() => picker.current?.click()} />
      <input
        ref={picker}
        hidden
        type="file"
        multiple={multiple}
        aria-label={inputLabel}
        accept={accept}
        onChange={(event) => {
          onFiles([...(event.target.files ?? [])]);
          event.target.value = '';
        }}
      />
    </>
  );
}
