import { SongStrip } from '@stem-studio/renderer/song-strip/song-strip';
import type { StemTone } from '@stem-studio/renderer/stem-mixer/stem-mixer-messages';
import { registerKernel } from './register-kernel.ts';

registerKernel<StemTone & { readonly type: 'tone' }, never>('song-strip', ({ sampleRateHz }) => {
  const strip = new SongStrip(sampleRateHz);
  return {
    apply: (tone) => strip.set(tone),
    process([output], [input]) {
      const [left, right] = output ?? [];
      if (!left || !right) return 0;
      // A source that does not play has no audio channels, a mono one has one.
      const [inLeft, inRight = inLeft] = input ?? [];
      for (let n = 0; n < left.length; n++) {
        left[n] = inLeft?.[n] ?? 0;
        right[n] = inRight?.[n] ?? 0;
      }
      strip.process(left, right, left.length);
      return left.length;
    },
    report() {},
  };
});
