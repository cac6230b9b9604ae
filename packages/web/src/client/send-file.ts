import { Scope } from '@stem-studio/audio/base/scope';
import { uploadFile } from '@stem-studio/contract/endpoints/downloads';
import { openProjectArchive } from '@stem-studio/contract/endpoints/project-archives';
import { ApiError } from './api-error.ts';
import { addressOf, errorFrom, isRenewedLogin } from './call.ts';
import { pageMeta } from './page-meta.ts';

/** What the service made of a file. */
export interface AcceptedFile {
  readonly track_id: string;
  /** Whether the library had a track of the same file already. */
  readonly isKnown: boolean;
  /** Project of the editor that the file contained; null for audio. */
  readonly projectId: string | null;
}

/** Returns whether a file is sent as a project archive, by its name. */
export const isArchiveName = (name: string): boolean => /\.zip$/i.test(name);

/** An upload in progress. */
export interface FileTransfer {
  /** Resolves with the track that the service created. */
  readonly done: Promise<AcceptedFile>;
  cancel(): void;
}

/**
 * Uploads one file to the library: audio, or a project archive. Uses XMLHttpRequest, because `fetch` does not report upload progress.
 *
 * @param onProgress receives the bytes sent so far
 */
export function sendFile(file: File, onProgress: (bytes: number) => void): FileTransfer {
  const scope = new Scope();
  let request = new XMLHttpRequest();
  const send = () => sendOnce(scope, request, file, onProgress);
  const done = send().catch(async (error: unknown) => {
    if (!(error instanceof ApiError && error.status === 403 && (await isRenewedLogin()))) throw error;
    request = new XMLHttpRequest();
    return await send();
  });
  return { done: done.finally(() => scope.dispose()), cancel: () => request.abort() };
}

function sendOnce(
  scope: Scope,
  request: XMLHttpRequest,
  file: File,
  onProgress: (bytes: number) => void,
): Promise<AcceptedFile> {
  return new Promise((resolve, reject) => {
    const spec = isArchiveName(file.name) ? openProjectArchive : uploadFile;
    request.open(spec.method, addressOf(spec));
    request.setRequestHeader('x-csrf-token', pageMeta('csrf-token'));
    request.setRequestHeader('accept', 'application/json');
    scope.listen(request.upload, 'progress', (event) => {
      if (event instanceof ProgressEvent) onProgress(event.loaded);
    });
    scope.listen(request, 'load', () => {
      if (request.status < 200 || request.status >= 300) {
        reject(errorFrom(request.status, request.responseText));
        return;
      }
      const reply = spec.reply.safeParse(JSON.parse(request.responseText));
      if (reply.success) {
        const { track_id, ...made } = reply.data.data;
        const projectId = 'project_id' in made ? made.project_id : null;
        resolve({ track_id, isKnown: request.status === 200, projectId });
      } else
        reject(
          new Error(
            'the file was uploaded, but the reply was unexpected: the page and the studio have different versions',
          ),
        );
    });
    scope.listen(request, 'error', () => {
      reject(new ApiError('the connection was lost during the upload', { status: 0, code: 'OFFLINE' }));
    });
    scope.listen(request, 'abort', () => reject(new DOMException('cancelled', 'AbortError')));
    const body = new FormData();
    body.append('file', file, file.name);
    request.send(body);
  });
}
