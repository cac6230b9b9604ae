declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;
declare const sampleRate: number;
declare const currentTime: number;

/** Reports are sent after so many samples: every 23 ms at 44.1 kHz. */
const REPORT_FRAMES = 1024;

/** What the audio thread is to a kernel. */
export interface AudioThread<Event> {
  readonly sampleRateHz: number;
  /** The context's time so many samples after the beginning of the block that is scheduled, in seconds. */
  readonly timeAfter: (frames: number) => number;
  /** Sends something to the page. */
  readonly tell: (news: Event, transfer?: ArrayBuffer[]) => void;
}

/** A kernel as the audio thread sees it. */
export interface WorkletKernel<Command> {
  /** Does what the page asks. */
  apply(command: Command): void;
  /** Fills the outputs, each with its sides. Answers how many samples were scheduled; 0 where nobody listens. */
  process(outputs: readonly (readonly Float32Array[])[]): number;
  /** Tells the page how it stands after a block of so many samples. */
  report(blockFrames: number): void;
}

/**
 * Registers a processor that carries commands to a kernel, its sound to the outputs and its news back; nothing else. It
 * ends with the message `{ type: 'close' }`. Only for the thread of an audio worklet.
 *
 * @param create makes the kernel of one node
 */
export function registerKernel<Command extends { readonly type: string }, Event>(
  name: string,
  create: (thread: AudioThread<Event>) => WorkletKernel<Command>,
): void {
  registerProcessor(
    name,
    class extends AudioWorkletProcessor {
      readonly #kernel: WorkletKernel<Command>;
      #sinceReport = 0;
      #isOpen = true;

      constructor() {
        super();
        this.#kernel = create({
          sampleRateHz: sampleRate,
          timeAfter: (frames) => currentTime + frames / sampleRate,
          tell: (news, transfer = []) => this.port.postMessage(news, transfer),
        });
        // The port lives and ends with this processor.
        // oxlint-disable-next-line unicorn/prefer-add-event-listener
        this.port.onmessage = ({ data }: MessageEvent<Command | { type: 'close' }>) => {
          if (data.type === 'close') this.#isOpen = false;
          else this.#kernel.apply(data as Command);
        };
      }

      process(_inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
        const frames = this.#kernel.process(outputs);
        this.#sinceReport += frames;
        if (frames > 0 && this.#sinceReport >= REPORT_FRAMES) {
          this.#sinceReport = 0;
          this.#kernel.report(frames);
        }
        return this.#isOpen;
      }
    },
  );
}
