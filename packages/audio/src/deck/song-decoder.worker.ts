import type { SongDecoderCommand, SongDecoderEvent } from './song-decoder-messages.ts';
import { SongDecoding } from './song-decoding.ts';

/** The part of a worker's global scope that is used here. */
interface WorkerScope {
  postMessage(event: SongDecoderEvent, transfer: ArrayBuffer[]): void;
  onmessage: ((event: MessageEvent<SongDecoderCommand>) => void) | null;
}

// A worker's global scope is no window and lives as long as the worker.
const scope = globalThis as unknown as WorkerScope;
const decoding = new SongDecoding((event, transfer) => scope.postMessage(event, transfer));
// oxlint-disable-next-line unicorn/prefer-add-event-listener
scope.onmessage = (event) => decoding.apply(event.data);
