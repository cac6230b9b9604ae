import { Scope } from '@stem-studio/audio/base/scope';
import { uploadFile } from '@stem-studio/contract/endpoints/downloads';
import { ApiError } from './api-error.ts';
import { addressOf, errorFrom } from './call.ts';
import { pageMeta } from './page-meta.ts';

/** A file on its way. */
export interface FileTransfer {
  /** The track the service made of it. */
  readonly done: Promise<{ track_id: string }>;
  cancel(): void;
}

/**
 * Sends one file to the library. `progressed` hears the bytes sent so far. XMLHttpRequest, because `fetch` cannot
 * say how much of a request has left.
 */
export function sendFile(file: File, progressed: (bytes: number) => void): FileTransfer {
  const request = new XMLHttpRequest();
  const scope = new Scope();
  const done = new Promise<{ track_id: string }>((resolve, reject) => {
    request.open(uploadFile.method, addressOf(uploadFile));
    request.setRequestHeader('x-csrf-token', pageMeta('csrf-token'));
    request.setRequestHeader('accept', 'application/json');
    scope.listen(request.upload, 'progress', (event) => {
      if (event instanceof ProgressEvent) progressed(event.loaded);
    });
    scope.listen(request, 'load', () => {
      if (request.status < 200 || request.status >= 300) {
        reject(errorFrom(request.status, request.responseText));
        return;
      }
      const reply = uploadFile.reply.safeParse(JSON.parse(request.responseText));
      if (reply.success) resolve({ track_id: reply.data.data.track_id });
      else
        reject(
          new Error('the studio took the file but answered in words this page does not know; reload it'),
        );
    });
    scope.listen(request, 'error', () => {
      reject(new ApiError('the connection broke while the file was sent', { status: 0, code: 'OFFLINE' }));
    });
    scope.listen(request, 'abort', () => reject(new DOMException('cancelled', 'AbortError')));
    const body = new FormData();
    body.append('file', file, file.name);
    request.send(body);
  });
  return { done: done.finally(() => scope.dispose()), cancel: () => request.abort() };
}
