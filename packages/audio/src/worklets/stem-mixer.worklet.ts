import { StemMixer } from '@stem-studio/renderer/stem-mixer/stem-mixer';
import type { StemMixerCommand, StemMixerReport } from '@stem-studio/renderer/stem-mixer/stem-mixer-messages';
import { registerKernel } from './register-kernel.ts';

registerKernel<StemMixerCommand, StemMixerReport>('stem-mixer', ({ sampleRateHz, timeAfter, send }) => {
  const mixer = new StemMixer(sampleRateHz);
  return {
    apply: (command) => mixer.apply(command),
    process([output]) {
      const [left, right] = output ?? [];
      if (!left || !right) return 0;
      mixer.process(left, right, left.length);
      return left.length;
    },
    report(blockFrames) {
      send({
        transport: mixer.transport,
        frame: mixer.position,
        rate: mixer.rate,
        commandId: mixer.commandId,
        group: mixer.group,
        timeSeconds: timeAfter(blockFrames + mixer.delayFrames),
        stemPeaks: [...mixer.stemPeaks],
        outputPeak: mixer.outputPeak,
      });
      mixer.stemPeaks.fill(0);
      mixer.outputPeak = 0;
    },
  };
});
