import { BoothKernel } from '@stem-studio/renderer/dj-engine/dj-engine';
import type { BoothCommand, BoothNews } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import { registerKernel } from './register-kernel.ts';

registerKernel<BoothCommand, BoothNews>('booth', ({ sampleRateHz, timeAfter, tell }) => {
  const booth = new BoothKernel(sampleRateHz);
  booth.recorder.onPiece = (piece) => tell({ type: 'recording', ...piece }, [piece.samples.buffer]);
  return {
    apply: (command) => booth.apply(command),
    process([main, headphones]) {
      const [left, right] = main ?? [];
      const [headLeft, headRight] = headphones ?? [];
      if (!left || !right || !headLeft || !headRight) return 0;
      booth.process(left, right, headLeft, headRight, left.length);
      return left.length;
    },
    report: (blockFrames) => tell(booth.report(timeAfter(blockFrames + booth.delayFrames))),
  };
});
