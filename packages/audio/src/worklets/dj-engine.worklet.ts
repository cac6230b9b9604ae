import { DjEngine } from '@stem-studio/renderer/dj-engine/dj-engine';
import type { DjEngineCommand, DjEngineEvent } from '@stem-studio/renderer/dj-engine/dj-engine-messages';
import { registerKernel } from './register-kernel.ts';

registerKernel<DjEngineCommand, DjEngineEvent>('dj-engine', ({ sampleRateHz, timeAfter, send }) => {
  const engine = new DjEngine(sampleRateHz);
  engine.recorder.onChunk = (piece) => send({ type: 'recording', ...piece }, [piece.samples.buffer]);
  engine.capture.onCaptured = (event) => {
    const { left, right } = event.samples ?? {};
    send(event, left && right ? [left.buffer, right.buffer] : []);
  };
  return {
    apply: (command) => engine.apply(command),
    process([main, headphones], [microphone]) {
      const [left, right] = main ?? [];
      const [headLeft, headRight] = headphones ?? [];
      if (!left || !right || !headLeft || !headRight) return 0;
      // Nothing is connected while the microphone is off.
      engine.process(left, right, headLeft, headRight, left.length, microphone?.[0] ?? null);
      return left.length;
    },
    report: (blockFrames) => send(engine.report(timeAfter(blockFrames + engine.delayFrames))),
  };
});
