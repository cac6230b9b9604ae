import { EditMixer } from '@stem-studio/renderer/editor/edit-mixer';
import type { EditMixerCommand, EditMixerReport } from '@stem-studio/renderer/editor/edit-mixer-messages';
import { registerKernel } from './register-kernel.ts';

registerKernel<EditMixerCommand, EditMixerReport>('edit-mixer', ({ sampleRateHz, timeAfter, send }) => {
  const mixer = new EditMixer(sampleRateHz);
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
        frame: mixer.frame,
        commandId: mixer.commandId,
        timeSeconds: timeAfter(blockFrames),
        lanePeaks: mixer.takeLanePeaks(),
        reductionsDb: mixer.reductionsDb(),
        loudness: mixer.loudness(),
        outputPeak: mixer.outputPeak,
      });
      mixer.outputPeak = 0;
    },
  };
});
