import { Scope } from '../base/scope.ts';
// oxlint-disable-next-line import/default -- the bundler gives this module its default export
import RecordingWorker from './recording.worker.ts?worker';
import type { RecordingCommand, RecordingDescription, RecordingEvent } from './recording-messages.ts';
import type { RecordingStorage, RecordingStorageEvents } from './recording-storage.ts';

/** Most buffers that wait for the disk, 74 s at 44.1 kHz; a disk that is slower for longer ends the recording. */
const MAX_WAITING = 200;

/** Worker that waits for the next recording. */
let spare: Worker | null = null;

/** Starts the worker of the next recording, so that its code need not be loaded when the recording starts. */
export function prepareRecordingWorker(): void {
  if (spare) return;
  const worker = new RecordingWorker();
  spare = worker;
  new Scope().listen(worker, 'error', () => {
    if (spare === worker) spare = null;
  });
}

/** Options of {@link openRecordingWorker}. */
export interface RecordingWorkerOptions {
  readonly id: string;
  readonly description: RecordingDescription;
  /** Reads the WAV file of a stored recording. */
  readonly read: () => Promise<Blob>;
}

/** Stores a recording in the origin-private file system by a worker of its own, which ends with the recording. */
export function openRecordingWorker(
  { id, description, read }: RecordingWorkerOptions,
  events: RecordingStorageEvents,
): RecordingStorage {
  const scope = new Scope();
  const worker = spare ?? new RecordingWorker();
  spare = null;
  scope.own(() => worker.terminate());
  let waiting = 0;
  const finished = Promise.withResolvers<void>();
  // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
  const post = (command: RecordingCommand, transfer: ArrayBuffer[] = []) =>
    worker.postMessage(command, transfer);
  scope.listen(worker, 'message', (message) => {
    const event = (message as MessageEvent<RecordingEvent>).data;
    if (event.type === 'opened') events.opened();
    else if (event.type === 'failed') events.failed(event);
    else if (event.type === 'finished') finished.resolve();
    else {
      waiting -= 1;
      events.buffer(event.samples);
    }
  });
  scope.listen(worker, 'error', () => {
    finished.resolve();
    events.failed({ isFull: false, message: 'the code that stores recordings could not be loaded' });
  });
  post({ type: 'open', id, description });
  return {
    id,
    add(samples) {
      waiting += 1;
      if (waiting === MAX_WAITING) events.failed({ isFull: false, message: 'the disk is too slow' });
      post({ type: 'samples', samples }, [samples.buffer]);
    },
    note: (note) => post({ type: 'note', note }),
    async finish() {
      post({ type: 'finish' });
      await finished.promise;
      scope.dispose();
      prepareRecordingWorker();
      return read();
    },
  };
}
