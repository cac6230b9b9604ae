import type { SongDecoderEvent, SongDecoderPort } from '../deck/song-decoder-messages.ts';
import { SongDecoding } from '../deck/song-decoding.ts';

/** Opens a decoder in the thread of the test. */
export function openSameThreadDecoder(): SongDecoderPort {
  let notify: (event: SongDecoderEvent) => void = () => {};
  const decoding = new SongDecoding((event) => notify(event));
  return {
    post: (command) => decoding.apply(command),
    onEvent(listener) {
      notify = listener;
    },
    dispose() {
      decoding.apply({ type: 'stop' });
      notify = () => {};
    },
  };
}
