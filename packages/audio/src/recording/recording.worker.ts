import type { RecordingCommand, RecordingEvent } from './recording-messages.ts';
import { RecordingService } from './recording-service.ts';

/** The part of a worker's global scope that is used here. */
interface WorkerScope {
  postMessage(event: RecordingEvent, transfer: ArrayBuffer[]): void;
  onmessage: ((event: MessageEvent<RecordingCommand>) => void) | null;
}

// A worker's global scope is no window and lives as long as the worker.
const scope = globalThis as unknown as WorkerScope;
const service = new RecordingService(
  // Undefined on plain http, and refused in some private windows.
  async () => navigator.storage.getDirectory(),
  (event, transfer) => scope.postMessage(event, transfer),
);
// oxlint-disable-next-line unicorn/prefer-add-event-listener
scope.onmessage = (event) => service.apply(event.data);
