import { createStore } from 'zustand/vanilla';
import { errorText } from '../client/api-error.ts';

/** A file between the user's disk and the library. */
export interface Upload {
  id: number;
  name: string;
  bytes: number;
  sent: number;
  /** `refused` is what the page itself does not take; sending it again would change nothing. */
  status: 'waiting' | 'sending' | 'accepted' | 'failed' | 'cancelled' | 'refused';
  /** Why it failed, what was kept and what to do; empty unless failed or refused. */
  error: string;
}

/** How a file travels: the browser's is `sendFile`. */
export type Send<F> = (
  file: F,
  progressed: (bytes: number) => void,
) => { done: Promise<unknown>; cancel: () => void };

/** Files sent at the same time; more would only share the same line. */
const CONCURRENT_UPLOADS = 2;

/** Name endings of what the service decodes, and of what it only may (with a tool of the machine). */
const audioName = /\.(wav|wave|aif|aiff|flac|mp3|m4a|mp4|aac|ogg|oga|opus)$/i;

/**
 * The list of uploads and what can be done with it. A file that is plainly no audio is refused here, in words,
 * instead of after its last byte; everything else the service decides by the bytes.
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
    /** Puts files in line; folders and plain non-audio become a refused line that says so. */
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
    /** Stops one upload; what the service had received of it is discarded there. */
    cancel(id: number) {
      const upload = find(id);
      if (upload?.status !== 'waiting' && upload?.status !== 'sending') return;
      change(id, { status: 'cancelled' });
      running.get(id)?.();
      startNext();
    },
    /** Puts a failed or cancelled upload back in line. */
    retry(id: number) {
      const upload = find(id);
      if (upload?.status !== 'failed' && upload?.status !== 'cancelled') return;
      change(id, { status: 'waiting', sent: 0, error: '' });
      startNext();
    },
    /** Takes a finished line off the list. */
    dismiss(id: number) {
      if (running.has(id)) return;
      files.delete(id);
      store.setState((state) => ({ uploads: state.uploads.filter((upload) => upload.id !== id) }));
    },
  };
}

/** The list of uploads and what can be done with it. */
export type Uploads = ReturnType<typeof createUploads<File>>;

function refusal(file: { name: string; size: number; type: string }): string {
  if (file.size === 0) return 'This file is empty (0 bytes). Choose the file again once it is whole.';
  if (file.type.startsWith('audio/') || file.type.startsWith('video/mp4') || audioName.test(file.name))
    return '';
  return 'Not an audio file. The studio takes WAV, AIFF, FLAC, MP3, M4A, OGG and Opus.';
}
