import { createStore } from 'zustand/vanilla';
import { pageTimeMs } from '../base/page-time.ts';
import { errorText } from '../client/api-error.ts';
import type { AcceptedFile } from '../client/send-file.ts';

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
  /** Track of an accepted file, or null. */
  trackId: string | null;
  /** Whether the library had a track of the same file already. */
  isKnown: boolean;
  /** Whether it was a project archive, whose track can be opened in the editor. */
  isProject: boolean;
}

/** Function that sends a file; in the page `sendFile`. */
export type Send<F> = (
  file: F,
  onProgress: (bytes: number) => void,
) => { done: Promise<AcceptedFile>; cancel: () => void };

/** Files sent at the same time; more would only share the same bandwidth. */
const CONCURRENT_UPLOADS = 2;

/** Time after which the upload rate is known well enough to estimate the time left, in ms. */
const RATE_MS = 2000;

/** File extensions of project archives, and of audio that the service decodes, by itself or with an installed tool. */
const acceptedName = /\.(wav|wave|aif|aiff|flac|mp3|m4a|mp4|aac|ogg|oga|opus|zip)$/i;

/**
 * Creates the list of uploads and its actions. A file that is clearly not audio is refused before it is sent; the
 * service decides about all others by their content.
 */
export function createUploads<F extends { name: string; size: number; type: string }>(
  send: Send<F>,
  nowMs: () => number = pageTimeMs,
) {
  const store = createStore<{ uploads: Upload[]; secondsLeft: number | null }>(() => ({
    uploads: [],
    secondsLeft: null,
  }));
  /** Start of the current series of uploads, which ends when none is open. */
  let startedMs = 0;
  const files = new Map<number, F>();
  const running = new Map<number, () => void>();
  let lastId = 0;

  const change = (id: number, fields: Partial<Upload>) => {
    store.setState(({ uploads }) => ({
      uploads: uploads.map((upload) => (upload.id === id ? { ...upload, ...fields } : upload)),
    }));
  };
  const estimate = () => {
    const open = store
      .getState()
      .uploads.filter(({ status }) => status === 'waiting' || status === 'sending');
    const sentBytes = sum(store.getState().uploads.map(({ sent }) => sent));
    const elapsedMs = nowMs() - startedMs;
    const leftBytes = sum(open.map(({ bytes, sent }) => bytes - sent));
    const isKnown = open.length > 0 && elapsedMs >= RATE_MS && sentBytes > 0;
    store.setState({ secondsLeft: isKnown ? (leftBytes / sentBytes) * (elapsedMs / 1000) : null });
  };
  const find = (id: number) => store.getState().uploads.find((upload) => upload.id === id);

  const startNext = () => {
    while (running.size < CONCURRENT_UPLOADS) {
      const next = store.getState().uploads.find((upload) => upload.status === 'waiting');
      const file = next && files.get(next.id);
      if (!next || !file) return;
      const { id } = next;
      change(id, { status: 'sending', sent: 0 });
      const transfer = send(file, (bytes) => {
        change(id, { sent: Math.min(bytes, file.size) });
        estimate();
      });
      running.set(id, transfer.cancel);
      transfer.done.then(
        ({ track_id, isKnown, projectId }) =>
          end(id, {
            status: 'accepted',
            sent: file.size,
            trackId: track_id,
            isKnown,
            isProject: projectId !== null,
          }),
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
    estimate();
  };
  const cancel = (id: number) => {
    const upload = find(id);
    if (upload?.status !== 'waiting' && upload?.status !== 'sending') return;
    change(id, { status: 'cancelled' });
    running.get(id)?.();
  };

  return {
    store,
    /** Queues files, as a new series if no upload is open; files that are not audio are listed as refused. */
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
          trackId: null,
          isKnown: false,
          isProject: false,
        };
      });
      store.setState((state) => {
        const isRunning = state.uploads.some(({ status }) => status === 'waiting' || status === 'sending');
        if (!isRunning) startedMs = nowMs();
        // A new series is counted by itself; failures of the last one remain until they are dismissed.
        const kept = isRunning
          ? state.uploads
          : state.uploads.filter(({ status }) => status === 'failed' || status === 'refused');
        return { uploads: [...kept, ...uploads] };
      });
      startNext();
    },
    /** Cancels an upload; the service discards the received part. */
    cancel(id: number) {
      cancel(id);
      startNext();
    },
    /** Cancels all open uploads. Files that have been received stay. */
    cancelAll() {
      for (const { id, status } of store.getState().uploads.toReversed())
        if (status === 'waiting' || status === 'sending') cancel(id);
    },
    /** Queues a failed or cancelled upload again. */
    retry(id: number) {
      const upload = find(id);
      if (upload?.status !== 'failed' && upload?.status !== 'cancelled') return;
      change(id, { status: 'waiting', sent: 0, error: '' });
      if (running.size === 0) startedMs = nowMs();
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

const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);

function refusal(file: { name: string; size: number; type: string }): string {
  if (file.size === 0) return 'The file is empty (0 bytes).';
  if (file.type.startsWith('audio/') || file.type.startsWith('video/mp4') || acceptedName.test(file.name))
    return '';
  return 'Not an audio file or project archive. Supported: WAV, AIFF, FLAC, MP3, M4A, OGG, Opus, and ZIP of a project.';
}
