declare class AudioWorkletProcessor {
  readonly port: MessagePort;
}
declare function registerProcessor(name: string, processor: new () => AudioWorkletProcessor): void;
declare const sampleRate: number;
declare const currentTime: number;

/** Frames between two reports: 23 ms at 44.1 kHz. */
const REPORT_FRAMES = 1024;

/** Functions of the audio thread that a renderer class uses. */
export interface AudioThread<Event> {
  readonly sampleRateHz: number;
  /** Returns the audio-clock time, in seconds, a number of frames after the start of the current block. */
  readonly timeAfter: (frames: number) => number;
  /** Sends an event to the page. */
  readonly send: (event: Event, transfer?: ArrayBuffer[]) => void;
}

/** A renderer class as the audio thread uses it. */
export interface WorkletKernel<Command> {
  /** Carries out a command. */
  apply(command: Command): void;
  /** Fills the outputs, each with its channels. Returns the rendered frames; 0 where nothing is connected. */
  process(
    outputs: readonly (readonly Float32Array[])[],
    inputs: readonly (readonly Float32Array[])[],
  ): number;
  /** Sends a report after a block of that many frames. */
  report(blockFrames: number): void;
}

/**
 * Registers a processor that connects a renderer class to its message port and outputs. The message `{ type: 'close' }`
 * ends it. For the global scope of an audio worklet only.
 *
 * @param create creates the kernel of a node
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
          send: (event, transfer = []) => this.port.postMessage(event, transfer),
        });
        // The port lives and ends with this processor.
        // oxlint-disable-next-line unicorn/prefer-add-event-listener
        this.port.onmessage = ({ data }: MessageEvent<Command | { type: 'close' }>) => {
          if (data.type === 'close') this.#isOpen = false;
          else this.#kernel.apply(data as Command);
        };
      }

      process(inputs: Float32Array[][], outputs: Float32Array[][]): boolean {
        const frames = this.#kernel.process(outputs, inputs);
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
