import { Scope } from '../base/scope.ts';
// oxlint-disable-next-line import/default -- the bundler gives this module its default export
import SongDecoderWorker from './song-decoder.worker.ts?worker';
import type { SongDecoderNews, SongDecoderPort } from './song-decoder-messages.ts';

/**
 * A worker that decodes songs, so that an hour of sound does not hold up a page.
 *
 * @public
 */
export function openSongDecoder(): SongDecoderPort {
  const scope = new Scope();
  const worker = new SongDecoderWorker();
  scope.own(() => worker.terminate());
  /** The way through a file that was asked for last. */
  let pass = 0;
  return {
    post(command) {
      if (command.type !== 'stop') ({ pass } = command);
      // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a worker has no origin
      worker.postMessage(command);
    },
    onNews(heard) {
      scope.listen(worker, 'message', (event) => heard((event as MessageEvent<SongDecoderNews>).data));
      scope.listen(worker, 'error', () =>
        heard({
          type: 'failed',
          pass,
          message: 'the decoder could not be loaded; reload the page',
          isRetryable: false,
        }),
      );
    },
    dispose: () => scope.dispose(),
  };
}
