import { createStore } from 'zustand/vanilla';
import { errorText } from '../client/api-error.ts';

/** A file that is being uploaded, or was. */
export interface Upload {
  id: number;
  name: string;
  bytes: number;
  sent: number;
  /** `refused` files are not sent, and cannot be retried. */
  status: 'waiting' | 'sending' | 'accepted' | 'failed' | 'cancelled' | 'refused';
  /** Reason of a failure with a remedy; empty unless failed or refused. */
  error: string;
}

/** Function that sends a file; in the page `sendFile`. */
export type Send<F> = (
  file: F,
  onProgress: (bytes: number) => void,
) => { done: Promise<unknown>; cancel: () => void };

/** Files sent at the same time; more would only share the same bandwidth. */
const CONCURRENT_UPLOADS = 2;

/** File extensions that the service decodes, by itself or with an installed tool. */
const audioName = /\.(wav|wave|aif|aiff|flac|mp3|m4a|mp4|aac|ogg|oga|opus)$/i;

/**
 * Creates the list of uploads and its actions. A file that is clearly not audio is refused before it is sent; the
 * service decides about all others by their content.
 */
export function createUploads<F extends { name: string; size: number; type: string }>(send: Send<F>) {
  const store = createStore<{ uploads: Upload[] }>(() => ({ uploads: [] }));
  const files = new Map<number, F>();
  const running = new Map<number, () => void>();
  let lastId = 0;

  const change = (id: number, fields: Partial<Upload>) => {
    store.setState(({ uploads }) => ({
      uploads: uploads.map((upload) => (upload.id === id ? { ...upload, ...fields } : upload)),
    }));
  };
  const find = (id: number) => store.getState().uploads.find((upload) => upload.id === id);

  const startNext = () => {
    while (running.size < CONCURRENT_UPLOADS) {
      const next = store.getState().uploads.find((upload) => upload.status === 'waiting');
      const file = next && files.get(next.id);
      if (!next || !file) return;
      const { id } = next;
      change(id, { status: 'sending', sent: 0 });
      const transfer = send(file, (bytes) => change(id, { sent: Math.min(bytes, file.size) }));
      running.set(id, transfer.cancel);
      transfer.done.then(
        () => end(id, { status: 'accepted', sent: file.size }),
        (error: unknown) => {
          if (find(id)?.status === 'cancelled') end(id, {});
          else end(id, { status: 'failed', error: `${errorText(error)} Your file was not changed.` });
        },
      );
    }
  };
  const end = (id: number, fields: Partial<Upload>) => {
    running.delete(id);
    if (fields.status === 'accepted') files.delete(id);
    change(id, fields);
    startNext();
  };

  return {
    store,
    /** Queues files; files that are not audio are listed as refused. */
    add(added: readonly F[]) {
      const uploads = added.map((file): Upload => {
        const id = ++lastId;
        files.set(id, file);
        const error = refusal(file);
        return {
          id,
          name: file.name,
          bytes: file.size,
          sent: 0,
          status: error === '' ? 'waiting' : 'refused',
          error,
        };
      });
      store.setState((state) => ({ uploads: [...state.uploads, ...uploads] }));
      startNext();
    },
    /** Cancels an upload; the service discards the received part. */
    cancel(id: number) {
      const upload = find(id);
      if (upload?.status !== 'waiting' && upload?.status !== 'sending') return;
      change(id, { status: 'cancelled' });
      running.get(id)?.();
      startNext();
    },
    /** Queues a failed or cancelled upload again. */
    retry(id: number) {
      const upload = find(id);
      if (upload?.status !== 'failed' && upload?.status !== 'cancelled') return;
      change(id, { status: 'waiting', sent: 0, error: '' });
      startNext();
    },
    /** Removes an upload that is not being sent from the list. */
    dismiss(id: number) {
      if (running.has(id)) return;
      files.delete(id);
      store.setState((state) => ({ uploads: state.uploads.filter((upload) => upload.id !== id) }));
    },
  };
}

/** The list of uploads and its actions. */
export type Uploads = ReturnType<typeof createUploads<File>>;

function refusal(file: { name: string; size: number; type: string }): string {
  if (file.size === 0) return 'The file is empty (0 bytes).';
  if (file.type.startsWith('audio/') || file.type.startsWith('video/mp4') || audioName.test(file.name))
    return '';
  return 'Not an audio file. Supported: WAV, AIFF, FLAC, MP3, M4A, OGG and Opus.';
}
