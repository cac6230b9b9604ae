import { type FileTransfer, sendFile } from '../client/send-file.ts';
import { goTo, route } from '../state/route.state.ts';
import { toast } from '../state/toasts.state.ts';

/** Time for which the message about an opened project stays, in ms. */
const OPENED_MS = 12_000;

/**
 * Uploads a file. An opened project is shown at once where the editor is shown, and offered in a message elsewhere.
 *
 * @param onProgress receives the bytes sent so far
 */
export function sendUpload(file: File, onProgress: (bytes: number) => void): FileTransfer {
  const transfer = sendFile(file, onProgress);
  void transfer.done.then(
    ({ track_id, projectId }) => {
      if (projectId === null) return;
      const open = () => goTo({ tab: 'daw', edited: track_id });
      if (route.getState().tab === 'daw') open();
      else
        toast({
          title: 'Project opened',
          description: `${file.name} is a new track of the library.`,
          isError: false,
          timeoutMs: OPENED_MS,
          action: { label: 'Open in editor', perform: open },
        });
    },
    // The list of uploads shows failures.
    () => {},
  );
  return transfer;
}
