import { onDemand } from '../client/on-demand.ts';
import type { FileTransfer } from '../client/send-file.ts';

/** Loaded with the first file, which the page starts without. */
const loadSending = onDemand(() => import('./send-upload.ts'));

/**
 * Uploads a file by code that is loaded with the first one.
 *
 * @param onProgress receives the bytes sent so far
 */
export function startUpload(file: File, onProgress: (bytes: number) => void): FileTransfer {
  let transfer: FileTransfer | null = null;
  let isCancelled = false;
  const done = loadSending().then(({ sendUpload }) => {
    if (isCancelled) throw new DOMException('cancelled', 'AbortError');
    transfer = sendUpload(file, onProgress);
    return transfer.done;
  });
  return {
    done,
    cancel() {
      isCancelled = true;
      transfer?.cancel();
    },
  };
}
