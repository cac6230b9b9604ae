import type { SongDecoderEvent, SongDecoderPort } from '../deck/song-decoder-messages.ts';
import { SongDecoding } from '../deck/song-decoding.ts';

/** Opens a decoder in the thread of the test. */
export function openSameThreadDecoder(): SongDecoderPort {
  let heard: (news: SongDecoderEvent) => void = () => {};
  const decoding = new SongDecoding((news) => heard(news));
  return {
    post: (command) => decoding.apply(command),
    onEvent(listener) {
      heard = listener;
    },
    dispose() {
      decoding.apply({ type: 'stop' });
      heard = () => {};
    },
  };
}
