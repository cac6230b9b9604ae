import { StemMixer } from '../kernels/stem-mixer.ts';
import type { StemMixerCommand, StemMixerReport } from '../kernels/stem-mixer-messages.ts';

declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;
declare const sampleRate: number;
declare const currentTime: number;

/** Reports are sent after so many samples: every 23 ms at 44.1 kHz. */
const REPORT_FRAMES = 1024;

/** Carries commands to a {@link StemMixer}, its sound to the output and its state back; nothing else. */
class StemMixerProcessor extends AudioWorkletProcessor {
  readonly #mixer = new StemMixer(sampleRate);
  #sinceReport = 0;
  #isOpen = true;

  constructor() {
    super();
    // The port lives and ends with this processor.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    this.port.onmessage = (event: MessageEvent<StemMixerCommand | { type: 'close' }>) => {
      if (event.data.type === 'close') this.#isOpen = false;
      else this.#mixer.apply(event.data);
    };
  }

  process(_inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const [left, right] = outputs[0] ?? [];
    if (!left || !right) return this.#isOpen;
    this.#mixer.process(left, right, left.length);
    this.#sinceReport += left.length;
    if (this.#sinceReport >= REPORT_FRAMES) this.#report(left.length);
    return this.#isOpen;
  }

  #report(blockFrames: number): void {
    const mixer = this.#mixer;
    this.#sinceReport = 0;
    const report: StemMixerReport = {
      transport: mixer.transport,
      frame: mixer.position,
      rate: mixer.rate,
      commandId: mixer.commandId,
      timeSeconds: currentTime + (blockFrames + mixer.delayFrames) / sampleRate,
      stemPeaks: [...mixer.stemPeaks],
      outputPeak: mixer.outputPeak,
    };
    // oxlint-disable-next-line unicorn/require-post-message-target-origin -- a port has no origin
    this.port.postMessage(report);
    mixer.stemPeaks.fill(0);
    mixer.outputPeak = 0;
  }
}

registerProcessor('stem-mixer', StemMixerProcessor);
