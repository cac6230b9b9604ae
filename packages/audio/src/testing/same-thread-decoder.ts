import type { SongDecoderNews, SongDecoderPort } from '../deck/song-decoder-messages.ts';
import { SongDecoding } from '../deck/song-decoding.ts';

/** What decodes songs in a worker, here in the thread of the test. */
export function openSameThreadDecoder(): SongDecoderPort {
  let heard: (news: SongDecoderNews) => void = () => {};
  const decoding = new SongDecoding((news) => heard(news));
  return {
    post: (command) => decoding.apply(command),
    onNews(listener) {
      heard = listener;
    },
    dispose() {
      decoding.apply({ type: 'stop' });
      heard = () => {};
    },
  };
}
