import { BoothKernel } from '../kernels/booth/booth-kernel.ts';
import type { BoothCommand, BoothNews } from '../kernels/booth/booth-messages.ts';

declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;
declare const sampleRate: number;
declare const currentTime: number;

/** Reports are sent after so many samples: every 23 ms at 44.1 kHz. */
const REPORT_FRAMES = 1024;

/** Carries commands to a {@link BoothKernel}, its sound to two outputs and its news back; nothing else. */
class BoothProcessor extends AudioWorkletProcessor {
  readonly #booth = new BoothKernel(sampleRate);
  #sinceReport = 0;
  #isOpen = true;

  constructor() {
    super();
    this.#booth.recorder.onPiece = (piece) =>
      this.#tell({ type: 'recording', ...piece }, [piece.samples.buffer]);
    // The port lives and ends with this processor.
    // oxlint-disable-next-line unicorn/prefer-add-event-listener
    this.port.onmessage = (event: MessageEvent<BoothCommand | { type: 'close' }>) => {
      if (event.data.type === 'close') this.#isOpen = false;
      else this.#booth.apply(event.data);
    };
  }

  process(_inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
    const [left, right] = outputs[0] ?? [];
    const [headLeft, headRight] = outputs[1] ?? [];
    if (!left || !right || !headLeft || !headRight) return this.#isOpen;
    this.#booth.process(left, right, headLeft, headRight, left.length);
    this.#sinceReport += left.length;
    if (this.#sinceReport >= REPORT_FRAMES) {
      this.#sinceReport = 0;
      this.#tell(this.#booth.report(currentTime + (left.length + this.#booth.delayFrames) / sampleRate), []);
    }
    return this.#isOpen;
  }

  #tell(news: BoothNews, transfer: ArrayBuffer[]): void {
    this.port.postMessage(news, transfer);
  }
}

registerProcessor('booth', BoothProcessor);
