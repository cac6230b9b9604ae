import { Scope } from '../base/scope.ts';
// oxlint-disable-next-line import/default -- the bundler gives this module its default export
import SongDecoderWorker from './song-decoder.worker.ts?worker';
import type { SongDecoderEvent, SongDecoderPort } from './song-decoder-messages.ts';

/** Idle workers, one per deck, so that a song need not wait for a decoder to start. */
const idle: Worker[] = [];
const MAX_IDLE = 2;

/** Starts the workers of both decks, so that their code need not be loaded when the first song is. */
export function prepareSongDecoders(): void {
  while (idle.length < MAX_IDLE) {
    const worker = new SongDecoderWorker();
    idle.push(worker);
    // One whose code could not be loaded is replaced when it is needed.
    new Scope().listen(worker, 'error', () => {
      const at = idle.indexOf(worker);
      if (at >= 0) idle.splice(at, 1);
    });
  }
}

/** Opens a worker that decodes songs outside the main thread. A disposed one is kept for the next song. */
export function openSongDecoder(): SongDecoderPort {
  const scope = new Scope();
  const worker = idle.pop() ?? new SongDecoderWorker();
  let isBroken = false;
  /** The pass that was requested last. */
  let pass = 0;
  scope.own(() => {
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
    worker.postMessage({ type: 'stop' });
    if (isBroken || idle.length >= MAX_IDLE) worker.terminate();
    else idle.push(worker);
  });
  return {
    post(command) {
      if (command.type !== 'stop') ({ pass } = command);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      worker.postMessage(command);
    },
    onEvent(listener) {
      scope.listen(worker, 'message', (event) => listener((event as MessageEvent<SongDecoderEvent>).data));
      scope.listen(worker, 'error', () => {
        isBroken = true;
        const message = 'the decoder could not be loaded: the studio is not reachable';
        listener({ type: 'failed', pass, message, isRetryable: false });
      });
    },
    dispose: () => scope.dispose(),
  };
}
